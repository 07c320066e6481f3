"""Readers of errors, one file for each family of tools; `reading.py` asks them all."""
