"""How a competition is drawn, paired, ranked and awarded."""
