"""People who are deleted go from what was recorded, too: noted as they go, taken out by the worker."""
