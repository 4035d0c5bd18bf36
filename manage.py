#!/usr/bin/env python
"""Django's command line for the wallboard."""

from wallboard.__main__ import main

if __name__ == "__main__":
    main()
