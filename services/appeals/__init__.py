"""Appeals (申诉): the window, the deposit and its ledger, hearings, decisions. Read `facts` (what other services have
said of a match), `model` (an appeal's life), `ledger` (the money), then `commands` and `policies`."""
