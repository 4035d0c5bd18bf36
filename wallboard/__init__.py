"""Wiring in files, rooms in folders; docs/architecture.md shows the house."""
