"""Makes a virtual environment with exactly the packages of a lock file, unless it is there: make_environment.py FOLDER LOCK_FILE"""

import fcntl
import os
import shutil
import subprocess
import sys
import venv
from contextlib import contextmanager


@contextmanager
def made_once(folder):
    """Whether it is still to be made. Other processes want it too: the system releases the lock of one that was killed."""
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    complete = os.path.join(folder, "complete")
    with open(f"{folder}.making", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(complete):
            yield False
            return
        # Of an installation that was cut off.
        shutil.rmtree(folder, ignore_errors=True)
        yield True
        open(complete, "w").close()


def interpreter(folder):
    return os.path.join(folder, "bin", "python")


folder, lock_file = sys.argv[1:]
with made_once(folder) as missing:
    if missing:
        # One pip for all of them: to put it into an environment takes longer than to install most of the packages.
        tools = os.path.join(os.path.dirname(folder), f"python-tools-{sys.version_info.major}.{sys.version_info.minor}")
        with made_once(tools) as without_tools:
            if without_tools:
                venv.create(tools, symlinks=True, with_pip=True)
        venv.create(folder, symlinks=True)
        options = ["--quiet", "--no-input", "--disable-pip-version-check"]
        # Python compiles what is imported; the packages have much more.
        options += ["--no-compile"]
        # Wheels only: a source package would run its own code while it is installed.
        options += ["--only-binary", ":all:", "--require-hashes"]
        pip = [interpreter(tools), "-m", "pip", "--python", interpreter(folder)]
        subprocess.run([*pip, "install", *options, "-r", lock_file], check=True)
