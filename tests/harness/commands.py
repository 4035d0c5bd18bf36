"""manage.py without its start: a process that has loaded the program once answers each command in a fork of itself."""

import json
import select
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from wallboard.demo.processes import BASE_DIR

# Run in the folder of the program it answers for, which need not be this one: nothing of tests/ is imported.
ANSWERING = """
import json, os, runpy, sys, traceback
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wallboard.settings")
import django
django.setup()

def status_of(arguments):
    sys.argv = ["manage.py", *arguments]
    try:
        runpy.run_path("manage.py", run_name="__main__")
    except SystemExit as end:
        if not isinstance(end.code, str):
            return end.code or 0
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

print(flush=True)
for line in sys.stdin:
    arguments, folder = json.loads(line)
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(os.path.join(folder, name), os.O_WRONLY | os.O_CREAT, 0o600), number)
        status = status_of(arguments)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Commands:
    """The commands of an installation; nothing runs before the first of them, nor after `stop`."""

    def __init__(self, env: Mapping[str, str], code: Path = BASE_DIR) -> None:
        self._env, self._code = env, code
        self._process: subprocess.Popen[str] | None = None
        self._loaded: Mapping[str, str] = {}  # the environment that the process has

    def run(self, *arguments: str, seconds: float = 180) -> subprocess.CompletedProcess[str]:
        """Run `manage.py` so: its exit status and what it printed."""
        if self._loaded != self._env:
            self.stop()
        process = self._process or self._started()
        assert process.stdin is not None
        with tempfile.TemporaryDirectory() as name:
            print(json.dumps([arguments, name]), file=process.stdin, flush=True)
            status = int(self._answer(process, seconds))
            stdout, stderr = ((Path(name) / each).read_text() for each in ("stdout", "stderr"))
        return subprocess.CompletedProcess(["manage.py", *arguments], status, stdout, stderr)

    def manage(self, *arguments: str) -> str:
        """Run `manage.py` so: what it printed; fails with its output when it fails."""
        done = self.run(*arguments)
        assert done.returncode == 0, f"manage.py {' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def stop(self) -> None:
        """End the process, where one runs."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def _started(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", ANSWERING]
        pipe = subprocess.PIPE  # it ends when we do, for then nobody writes to it any more
        self._loaded = dict(self._env)
        process = subprocess.Popen(command, env=self._loaded, cwd=self._code, stdin=pipe, stdout=pipe, text=True)
        self._process = process
        self._answer(process, 60)
        return process

    def _answer(self, process: subprocess.Popen[str], seconds: float) -> str:
        """The next line that it prints."""
        assert process.stdout is not None
        if not select.select([process.stdout], [], [], seconds)[0]:
            self.stop()
            raise TimeoutError(f"manage.py was not done within {seconds} s.")
        line = process.stdout.readline()
        assert line, f"the process of manage.py ended with status {process.wait()}"
        return line
