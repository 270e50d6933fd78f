"""Read changed files: each expected read or refused in one line, soon and in little memory.

    python tests/fuzz/run.py              300 changes for each reader
    python tests/fuzz/run.py 20000 abaqus 20 000 for one of them

The files are read in a child process, which may crash or hang; the parent goes on behind the file
that did it. A seed gives a file, so that each failure can be repeated.
"""

from __future__ import annotations

import os
import random
import resource
import select
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import mutations
from readers import READERS, NotWholeError, Reader

from fecontact.errors import InputError

MAX_S = 20.0
"""Seconds for one file; HDF5 is given ten before it is stopped."""
MAX_BYTES = 700 << 20
"""Growth of the memory: the 256 MB that any file may ask for, read and copied."""
ADDRESSES = 4 << 30
"""Further address space of the child."""
SHOWN = 5


def trials(reader: str, count: int, seed: int = 0) -> dict[str, object]:
    """Counts of a reader: read, refused, failed; and the first failures in words.

    Parameters
    ----------
    reader
        Key of `READERS`.
    count
        Number of changed files.
    seed
        Number of the first; file k is that of seed + k.
    """
    kind, start = READERS[reader], time.perf_counter()
    sound = kind.sound()
    found = {"reader": reader, "count": count, "read": 0, "refused": 0, "failed": 0}
    failures: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        _read(kind, sound, Path(folder))  # the sound file is read, or the counts mean nothing
        number = 0
        while number < count:
            number += _batch(
                kind, sound, Path(folder), (seed + number, seed + count), found, failures
            )
    found |= {"failures": failures[:SHOWN], "seconds": round(time.perf_counter() - start, 2)}
    return found


def _batch(
    kind: Reader,
    sound: bytes,
    folder: Path,
    seeds: tuple[int, int],
    found: dict[str, object],
    failures: list[str],
) -> int:
    """Read changed files in a child until all are read or it ends; return how many were tried."""
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receiver)
        _child(kind, sound, folder, seeds, sender)
    os.close(sender)
    tried, ended = 0, "crashed"
    with os.fdopen(receiver, "rb", buffering=0) as stream:
        while True:
            if not select.select([stream], [], [], MAX_S)[0]:
                os.kill(child, 9)
                ended = f"took more than {MAX_S:.0f} s"
                break
            line = b""
            while not line.endswith(b"\n") and (letter := stream.read(1)):
                line += letter
            if not line:
                break
            verdict, _, words = line.decode().rstrip("\n").partition(" ")
            found[verdict] += 1
            if verdict == "failed":
                failures.append(f"seed {seeds[0] + tried}: {words}")
            tried += 1
    _, status = os.waitpid(child, 0)
    if tried < seeds[1] - seeds[0]:
        found["failed"] += 1
        failures.append(f"seed {seeds[0] + tried}: {ended} (status {status})")
        tried += 1
    return tried


def _child(kind: Reader, sound: bytes, folder: Path, seeds: tuple[int, int], sender: int) -> None:
    """Try one file after the other and tell how it ended; never return."""
    try:
        warnings.simplefilter("ignore")
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (limit := _used_addresses() + ADDRESSES, limit))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for seed in range(*seeds):
            verdict = _verdict(
                kind, mutations.mutated(sound, kind.kinds, random.Random(seed)), folder
            )
            grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
            if grown > MAX_BYTES:
                verdict = f"failed took {grown >> 20} MB"
                before += grown // 1024
            os.write(sender, verdict.replace("\n", " / ").encode() + b"\n")
    finally:
        os._exit(0)


def _used_addresses() -> int:
    """Address space of this process, as far as the system tells."""
    table = Path("/proc/self/statm")
    return int(table.read_text().split()[0]) * resource.getpagesize() if table.exists() else 0


def _verdict(kind: Reader, data: bytes, folder: Path) -> str:
    """How the reading of a file ends."""
    start = time.perf_counter()
    try:
        _read(kind, data, folder)
    except (InputError, NotWholeError) as error:
        if "\n" in str(error) or len(str(error)) > 2000:
            return f"failed its message is not one line: {str(error)[:200]}"
        if "more memory than there is" in str(error):
            return f"failed {error}"
        return "refused"
    except BaseException as error:
        return f"failed {type(error).__name__}: {str(error)[:200]}"
    if time.perf_counter() - start > MAX_S:
        return "failed slow"
    return "read"


def _read(kind: Reader, data: bytes, folder: Path) -> None:
    file = folder / f"file{kind.ending}"
    file.unlink(missing_ok=True)
    kind.read(mutations.write(file, data))


def main() -> int:
    """Print the counts of the readers that are named, or of all."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    failed = 0
    for name in sys.argv[2:] or READERS:
        found = trials(name, count)
        failed += found["failed"]
        print(
            f"{name:<22}{found['count']:>7}  read {found['read']:>6}  refused {found['refused']:>6}"
            f"  failed {found['failed']:>3}  {found['seconds']:>7} s",
            flush=True,
        )
        for words in found["failures"]:
            print(f"    {words}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
