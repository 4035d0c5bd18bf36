"""Recordings without what was erased: every span that holds it is written anew."""
