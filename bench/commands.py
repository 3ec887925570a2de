# SPDX-License-Identifier: MIT
"""What the commands of this folder share about their command lines."""
import argparse
import math
import os
import signal
import sys


def positive(kind):
    """A reader, for argparse, of finite numbers above 0 of a kind: int or float."""
    def read(text):
        try:
            value = kind(text)
        except ValueError:
            value = 0
        if not 0 < value < math.inf:
            raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
        return value
    return read


def run(main):
    """Ends the process with what main() returns. Ctrl-C and SIGTERM end it as well, and a reader of
    its output that has gone, once what it started has ended."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        code = main()
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what it still holds
        code = 128 + signal.SIGPIPE
    sys.exit(code)
