"""Match, pure. `rounds` is the competition's stream, `matches` a match's; `facts` turns recorded facts and rulings into
results through the rules; `places` and `rulings` decide what closes and what changes a competition."""
