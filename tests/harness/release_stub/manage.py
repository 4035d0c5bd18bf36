"""Commands of a release that is none: tests of deploy/install.sh look at which of them ran, and of which release."""

import os
import sys
from pathlib import Path

here, command = Path(__file__).parent, sys.argv[1]
version, root = (here / "VERSION").read_text().strip(), Path(os.environ["STUB_ROOT"])
database = root / "database"
if command == "newkey":
    print("key")
    sys.exit()
with (root / "commands").open("a") as commands:
    print(version, *sys.argv[1:], file=commands)
if command == "collectstatic":
    folder = Path(os.environ["STATIC_ROOT"])
    (folder / f"site.{version}.css").write_text(version)
    (folder / "staticfiles.json").write_text(version)
elif command == "setup":
    database.write_text(version)
elif command == "migrate":
    sys.exit(not database.exists() or database.read_text() != version)
