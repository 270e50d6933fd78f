"""Changes of a file: of its bytes, of the words of a text, of the parts of npz and HDF5 files.

All of them draw from one generator of random numbers, so that a seed gives a file.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import zipfile
from pathlib import Path

import h5py
import numpy as np

NUMBER = re.compile(rb"[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?")
WORDS = [
    b"-1", b"0", b"1", b"2", b"1.5", b"nan", b"inf", b"-inf", b"1e", b"1e999", b"1e308", b"-0",
    b"800000000", b"2147483647", b"2147483648", b"-2147483649", b"4294967296", b"9007199254740993",
    b"9223372036854775807", b"9223372036854775808", b"-9223372036854775808", b"1000000000000",
    b"99999999999999999999999999", b"", b"x", b"0x10", b"\xc2\xb2", b"1_000", b"9" * 5000,
]  # fmt: skip
"""What a number is replaced by."""
EXTREMES = [-1, 0, 1, 2, 127, 255, 2**15, 2**31 - 1, -(2**31), 2**32, 2**53, 2**62, 2**63 - 1]
VALUES = [-1.0, 0.0, 0.5, 1e300, -1e300, np.nan, np.inf, -np.inf, 5e-324, 2.0**53]


def cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.randrange(len(data))]


def flip(data: bytes, draw: random.Random) -> bytes:
    """Change single bytes."""
    changed = bytearray(data)
    for _ in range(draw.choice([1, 1, 2, 8, 64])):
        changed[draw.randrange(len(changed))] = draw.randrange(256)
    return bytes(changed)


def overwrite(data: bytes, draw: random.Random) -> bytes:
    """Put an extreme number in the place of 1 to 8 bytes, more often near the start."""
    width = draw.choice([1, 2, 4, 8])
    number = draw.choice(EXTREMES) % 2 ** (8 * width)
    place = draw.randrange(min(len(data), draw.choice([256, 2048, len(data)])))
    part = number.to_bytes(width, draw.choice(["little", "big"]))
    return data[:place] + part + data[place + width :]


def splice(data: bytes, draw: random.Random) -> bytes:
    """Delete, repeat or move a range."""
    a, b = sorted(draw.randrange(len(data)) for _ in range(2))
    b = min(b, a + draw.choice([1, 4, 16, 256, 4096]))
    place = draw.randrange(len(data))
    return draw.choice(
        [data[:a] + data[b:], data[:b] + data[a:], data[:place] + data[a:b] + data[place:]]
    )


def renumber(data: bytes, draw: random.Random) -> bytes:
    """Replace numbers of a text, one or several, by others."""
    for _ in range(draw.choice([1, 1, 1, 2, 5])):
        places = [m.span() for m in NUMBER.finditer(data)]
        if not places:
            return flip(data, draw)
        a, b = draw.choice(places)
        word = draw.choice(WORDS)
        if draw.random() < 0.3 and data[a:b].isdigit() and b - a < 18:
            word = str(int(data[a:b]) + draw.choice([-1, 1, 2])).encode()
        data = data[:a] + word + data[b:]
    return data


def relines(data: bytes, draw: random.Random) -> bytes:
    """Delete, repeat or exchange lines of a text."""
    lines = data.split(b"\n")
    for _ in range(draw.choice([1, 1, 2, 5])):
        i, j = draw.randrange(len(lines)), draw.randrange(len(lines))
        match draw.randrange(4):
            case 0:
                del lines[i]
            case 1:
                lines.insert(j, lines[i])
            case 2:
                lines[i], lines[j] = lines[j], lines[i]
            case 3:
                lines[i:i] = [lines[j]] * 50
        lines = lines or [b""]
    return b"\n".join(lines)


def reword(data: bytes, draw: random.Random) -> bytes:
    """Replace a word of a text by another of its words."""
    places = [m.span() for m in re.finditer(rb"[A-Za-z_]{2,}", data)]
    if not places:
        return flip(data, draw)
    (a, b), (c, d) = draw.choice(places), draw.choice(places)
    return data[:a] + data[c:d] + data[b:]


BYTES = [cut, flip, overwrite, splice]
TEXT = [renumber, renumber, renumber, relines, relines, reword, *BYTES]


def change_array(array: np.ndarray, draw: random.Random) -> np.ndarray:
    """Change entries, shape or type of an array."""
    array = np.array(array)
    if array.dtype.kind not in "biuf":
        return array.ravel()[:-1] if array.ndim else array
    match draw.randrange(7):
        case 0 if array.size > 1:
            return array[: draw.randrange(len(array))] if array.ndim else array
        case 1:
            return np.concatenate([array, array]) if array.ndim else np.array([array, array])
        case 2:
            return array.astype(draw.choice(["f4", "f8", "i4", "i8", "u1", "u8"]), casting="unsafe")
        case 3:
            return array.reshape(1, *array.shape) if draw.random() < 0.5 else array.ravel()
        case 4 if array.size:
            return array.ravel()[::-1].reshape(array.shape)
        case _ if array.size:
            flat = array.reshape(-1)
            for _ in range(draw.choice([1, 1, 4])):
                value = draw.choice(EXTREMES if array.dtype.kind in "iu" else VALUES)
                with np.errstate(all="ignore"):
                    flat[draw.randrange(flat.size)] = np.array(value).astype(
                        array.dtype, casting="unsafe"
                    )
            return flat.reshape(array.shape)
    return array


def change_npz(data: bytes, draw: random.Random) -> bytes:
    """Change, drop or add arrays of an archive, or what it says of their sizes."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = draw.choice(sorted(members))
    if draw.random() < 0.25:
        members[name] = renumber(members[name][:128], draw) + members[name][128:]
    elif draw.random() < 0.15:
        del members[name]
    else:
        array = np.load(io.BytesIO(members[name]))
        stream = io.BytesIO()
        with np.errstate(all="ignore"):
            np.save(stream, change_array(array, draw))
        members[name] = stream.getvalue()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", draw.choice([0, 8])) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


NPZ = [change_npz, change_npz, change_npz, *BYTES]


def change_json(value: object, draw: random.Random) -> object:
    """Change something in a record."""
    if isinstance(value, dict) and value:
        key = draw.choice(sorted(value))
        match draw.randrange(6):
            case 0:
                return {k: v for k, v in value.items() if k != key}
            case 1:
                return value | {
                    key: draw.choice([None, -1, 1.5, 10**30, "x\n\x1b[2J", [], {}, [1]])
                }
            case 2:
                return value | {draw.choice(["", "surplus", "x" * 1000]): value[key]}
            case _:
                return value | {key: change_json(value[key], draw)}
    if isinstance(value, list) and value:
        i = draw.randrange(len(value))
        match draw.randrange(4):
            case 0:
                return value[:i] + value[i + 1 :]
            case 1:
                return [*value, value[i]]
            case _:
                return [*value[:i], change_json(value[i], draw), *value[i + 1 :]]
    if isinstance(value, str):
        return draw.choice([value + "x", "", "\n", None, 3])
    if isinstance(value, int | float):
        return draw.choice([*EXTREMES, -value, value + 1, float("nan"), float("inf"), "1", None])
    return draw.choice([0, "x", [], {}])


def _change_item(file: h5py.File, names: list[str], draw: random.Random) -> None:
    """Change, drop or replace a dataset of an HDF5 file."""
    name = draw.choice(names)
    item = file[name]
    kind = draw.randrange(10)
    if kind == 0:
        del file[name]
    elif kind == 1:
        del file[name]
        file[name] = draw.choice(
            [h5py.SoftLink("/about"), h5py.ExternalLink("/etc/passwd", "/"), h5py.SoftLink(name)]
        )
    elif kind == 2:
        del file[name]
        file.create_dataset(name, (64,), "u1", external=[("/etc/passwd", 0, 64)])
    elif kind == 3:
        del file[name]
        file.create_dataset(name, (10**6, 10**6), "f8", chunks=(100, 100))
    elif item.dtype.kind in "biuf":
        attributes = {"maxshape": item.maxshape} if item.chunks else {}
        array = change_array(item[()], draw)
        del file[name]
        if attributes and array.ndim == len(item.maxshape if item else ()) and array.size:
            file.create_dataset(name, data=array, chunks=True)
        else:
            file[name] = array


def _checksum(text: str, arrays: dict[str, np.ndarray]) -> str:
    """Checksum of a reduced body, so that its content is looked at and not only its sum."""
    digest = hashlib.sha256(text.encode())
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        digest.update(f"{name} {array.dtype.str} {arrays[name].shape}".encode())
        digest.update(array.tobytes())
    return digest.hexdigest()


def change_hdf5(data: bytes, draw: random.Random) -> bytes:
    """Change parts of an HDF5 file by HDF5 itself; the checksum, if it has one, is right again."""
    stream = io.BytesIO(data)
    with h5py.File(stream, "r+") as file:
        names: list[str] = []
        file.visititems(lambda n, i: names.append(n) if isinstance(i, h5py.Dataset) else None)
        numeric = [name for name in names if name != "about"]
        for _ in range(draw.choice([1, 1, 2])):
            if draw.random() < 0.4:
                about = change_json(json.loads(file["about"].asstr()[()]), draw)
                del file["about"]
                file["about"] = json.dumps(about)
            elif draw.random() < 0.1:
                file.attrs[draw.choice(["version", "format", "checksum"])] = draw.choice(
                    [-1, 0, 99, "x", [1, 2], 1.5]
                )
            else:
                name = draw.choice(numeric)
                numeric.remove(name)
                _change_item(file, [name], draw)
        if "checksum" in file.attrs and draw.random() < 0.9:
            arrays = {name: file[name][()] for name in numeric if file[name].size < 10**6}
            arrays |= {
                n: file[n][()]
                for n in names
                if n not in (*arrays, "about")
                and isinstance(file.get(n, getlink=True), h5py.HardLink)
                and file[n].size < 10**6
                and not file[n].external
            }
            file.attrs["checksum"] = _checksum(file["about"].asstr()[()], arrays)
    return stream.getvalue()


HDF5 = [change_hdf5, change_hdf5, change_hdf5, *BYTES]


def mutated(data: bytes, kinds: list, draw: random.Random) -> bytes:
    """A changed copy; sometimes changed twice.

    HDF5 itself changes sound files only: writing to a damaged one can end the process.
    """
    changes = [draw.choice(kinds) for _ in range(draw.choice([1, 1, 1, 2]))]
    for change in sorted(changes, key=lambda change: change is not change_hdf5):
        if data:
            try:
                data = change(data, draw)
            except Exception:  # a file that was changed before may be none of its kind any more
                data = flip(data, draw)
    return data


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path
