"""The table in the browser: sockets, clock, shuffles and storage around `table`."""
