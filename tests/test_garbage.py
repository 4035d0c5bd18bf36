"""What lives long is looked through once; what holds itself there is found all the same."""

import os
import subprocess
import sys

from wallboard.demo.processes import BASE_DIR

BEGIN = """
import gc, weakref
from wallboard import garbage
garbage.aside.begin()

class Node:
    def __init__(self):
        self.other = None

def pair():
    one, two = Node(), Node()
    one.other, two.other = two, one
    return one

def look():
    gc.collect()  # as Python does by itself
"""
ONCE = """
looked = []
gc.callbacks.append(lambda phase, info: looked.append(len(gc.get_objects())) if phase == "start" else None)
held = [Node() for _ in range(100_000)]
look()
aside, gone = gc.get_freeze_count(), weakref.ref(held[0])
look()
del held
print(aside > 100_000, looked[-1] < 10_000, gone() is None, gc.get_freeze_count() < aside - 90_000)
"""
AGAIN = """
garbage.MOST_MORE, garbage.COUNT_SECONDS = 1_000, 0.0
held = [pair() for _ in range(400)]
watched = weakref.ref(held[0])
look()
del held
look()
kept = watched() is not None  # it lies aside and holds itself
more = [Node() for _ in range(2_000)]
look()
look()
usual = garbage.aside._usual
look()
print(kept, watched() is None, len(gc.get_objects()) < 1_000, garbage.aside._usual == usual)
"""


def run(script: str) -> list[str]:
    command = [sys.executable, "-c", BEGIN + script]
    done = subprocess.run(command, cwd=BASE_DIR, env=os.environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_what_lives_long_is_looked_through_once_and_goes_when_nobody_holds_it() -> None:
    assert run(ONCE) == ["True"] * 4


def test_all_is_looked_through_again_once_much_more_lies_aside() -> None:
    assert run(AGAIN) == ["True"] * 4
