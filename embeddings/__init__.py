"""Which texts are near this text? Dense vectors and token weights on disk; knows nothing of bots or Discord."""
