"""Celery tasks: thin edges."""
