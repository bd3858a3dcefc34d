"""Match: the draw, the rounds, the tables with their hands and penalties, rulings, lots, places."""
