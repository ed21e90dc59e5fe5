"""What comparisons with python-chess share."""

import subprocess
import sys


def fendex(program, *words):
    """Returns what the program prints; ends this program if it fails."""
    done = subprocess.run([program, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, encoding="utf-8", check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def key_of(board):
    """Returns the same for the same position only (FIDE 9.2)."""
    return board._transposition_key()  # pylint: disable=protected-access
