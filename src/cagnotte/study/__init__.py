"""What can be known about the games: exact odds where they exist, millions of deals where they do not."""
