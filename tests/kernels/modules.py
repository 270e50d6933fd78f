"""Files of kernels that are imported again and again."""

import importlib.util
import sys


def module_of(path):
    """Import a file anew; files of bytecode are by the second, too coarse for a test."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    made = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = made
    exec(compile(path.read_text(), path, "exec"), made.__dict__)
    return made
