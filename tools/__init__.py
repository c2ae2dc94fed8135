"""What stands behind `./play` and `./test`; nothing of it is installed with the program."""
