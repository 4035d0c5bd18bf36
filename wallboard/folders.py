"""Where the files of the program and those of the installation are, in a clone and where the package is installed."""

from pathlib import Path

PROGRAM_DIR = Path(__file__).resolve().parent
IS_CLONE = (PROGRAM_DIR.parent / "manage.py").is_file()
# An installed package lies where nothing is written: settings and data are in the folder that it is started in.
BASE_DIR = PROGRAM_DIR.parent if IS_CLONE else Path.cwd()
FILES_DIR = PROGRAM_DIR.parent if IS_CLONE else PROGRAM_DIR / "files"  # templates/ and static/
