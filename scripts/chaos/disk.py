"""A disk with a cache, rebuilt from the log of the shim, and what a loss of power may leave of it.

What is assumed of a file system, and no more:

- A flush (fsync, fdatasync) that succeeded has brought the content and the size of the file to the disk, or the names in the
  directory. The name of a flushed file is only there if its directory was flushed too.
- Of what was written since, each sector of 512 bytes has any one of the contents that it had in the cache, in any order. A sector
  that was never written and lies within the size holds zeros or garbage. The size is any that the file had since.
- Of the changes of names since, any may be there, in the order of the changes of each name. A rename is there or not: never
  half of it.
- After a flush that failed, the cache may hold as written what never reached the disk: the next flush does not write it.
"""

from __future__ import annotations

import os
import random
import struct
from dataclasses import dataclass
from pathlib import Path

SECTOR = 512
RECORD = struct.Struct("=qQqIIIi")
RENAME_EXCHANGE = 2


class UnmodelledError(RuntimeError):
    """The process changed files in a way that is not modelled here."""


@dataclass(frozen=True)
class Record:
    """One call, as `shim.c` writes it down; paths are relative to the folder."""

    kind: str
    inode: int
    offset: int
    first: str
    second: str
    data: bytes


def read(log: bytes, root: str) -> list[Record]:
    records, at = [], 0
    while at < len(log):
        kind, inode, offset, *lengths, _ = RECORD.unpack_from(log, at)
        at += RECORD.size
        texts = []
        for length in lengths:
            texts.append(log[at : at + length])
            at += length
        first, second = (os.path.relpath(text.decode(), root) if text else "" for text in texts[:2])
        records.append(Record(chr(kind), inode, offset, first, second, texts[2]))
    return records


class File:
    """The content of a file: in the cache, on the disk, and what each sector held since it was flushed."""

    def __init__(self, content: bytes, maker: str) -> None:
        self.cache = bytearray(content)
        self.disk = bytearray(content)
        self.sectors: dict[int, list[bytes]] = {}
        self.sizes: list[int] = []
        self.maker = maker

    def write(self, offset: int, data: bytes) -> None:
        first = min(offset, len(self.cache)) // SECTOR
        if offset + len(data) > len(self.cache):
            self.cache.extend(bytes(offset + len(data) - len(self.cache)))
            self.sizes.append(len(self.cache))
        self.cache[offset : offset + len(data)] = data
        self.touch(first, -(-(offset + len(data)) // SECTOR))

    def truncate(self, size: int) -> None:
        before = len(self.cache)
        del self.cache[size:]
        self.cache.extend(bytes(size - len(self.cache)))
        self.sizes.append(size)
        self.touch(min(before, size) // SECTOR, -(-max(size, min(before, size)) // SECTOR))

    def touch(self, first: int, end: int) -> None:
        for sector in range(first, end):
            content = bytes(self.cache[sector * SECTOR : (sector + 1) * SECTOR]).ljust(SECTOR, b"\0")
            self.sectors.setdefault(sector, []).append(content)

    def flush(self) -> None:
        """Brings to the disk what the cache knows to be missing there."""
        self.disk = bytearray(self.after(random.Random(0), 1.0))
        self.sectors, self.sizes = {}, []

    def fail(self, chance: random.Random) -> None:
        """A flush that failed: some of it is on the disk, and the cache forgets which."""
        self.disk = bytearray(self.after(chance, chance.choice([0.0, 0.5, 1.0])))
        self.sectors, self.sizes = {}, []

    def after(self, chance: random.Random, share: float) -> bytes:
        """What may be on the disk; each sector that is not flushed is written with this probability."""
        content = bytearray(self.disk)
        sizes = {0.0: [len(content)], 1.0: [len(self.cache)]}.get(share, [len(content), *self.sizes])
        self.resize(content, chance.choice(sizes), chance if chance.getrandbits(1) else None)
        size = len(content)
        for sector, versions in self.sectors.items():
            if sector * SECTOR < size and chance.random() < share:
                is_last = share == 1.0 or chance.getrandbits(1)
                content[sector * SECTOR : (sector + 1) * SECTOR] = versions[-1] if is_last else chance.choice(versions)
        del content[size:]
        return bytes(content)

    @staticmethod
    def resize(content: bytearray, size: int, garbage: random.Random | None) -> None:
        missing = max(0, size - len(content))
        del content[size:]
        content.extend(garbage.randbytes(missing) if garbage else bytes(missing))


class Folder:
    """The names in a directory, in the cache and on the disk."""

    def __init__(self) -> None:
        self.cache: dict[str, File | Folder] = {}
        self.disk: dict[str, File | Folder] = {}


# The names that one call gives or takes, at once: the directory, the name, and what it names from then on.
Change = list  # of tuple[Folder, str, File | Folder | None]

# What is at each path: the content, or None for a directory; and the maker of a file.
Files = dict  # of str to tuple[bytes | None, str]


class Disk:
    """All that is below one folder."""

    def __init__(self, folder: Path, makers: dict[str, str] | None = None, *, ignores_flushes: bool = False) -> None:
        self.ignores_flushes = ignores_flushes
        self.root = Folder()
        self.pending: list[Change] = []
        self.nodes: dict[int, File | Folder] = {}
        self.maker = ""
        self.add(self.root, folder, "", makers or {})

    def add(self, node: Folder, folder: Path, prefix: str, makers: dict[str, str]) -> None:
        """Takes over what is in a folder, as if all of it were flushed; `makers` says who made which file."""
        self.nodes[folder.stat().st_ino] = node
        for path in folder.iterdir():
            if path.is_dir():
                below = Folder()
                self.add(below, path, f"{prefix}{path.name}/", makers)
            else:
                below = File(path.read_bytes(), makers.get(prefix + path.name, ""))
                self.nodes[path.stat().st_ino] = below
            node.cache[path.name] = node.disk[path.name] = below

    def place(self, path: str) -> tuple[Folder, str]:
        *folders, name = os.path.normpath(path).split("/")
        node = self.root
        for folder in folders:
            node = node.cache[folder]
        return node, name

    def change(self, names: Change) -> None:
        self.pending.append(names)
        apply(names, disk=False)

    def step(self, record: Record, chance: random.Random) -> None:
        """What one call does."""
        kind, node = record.kind, self.nodes.get(record.inode)
        if kind == "?":
            raise UnmodelledError(f"system call {record.offset}")
        if kind in "CM":
            node = File(b"", self.maker) if kind == "C" else Folder()
            self.nodes[record.inode] = node
            self.change([(*self.place(record.first), node)])
        elif kind == "W":
            node.write(record.offset, record.data)
        elif kind == "T":
            node.truncate(record.offset)
        elif kind == "U":
            self.change([(*self.place(record.first), None)])
        elif kind == "R":
            (source, old), (target, new) = self.place(record.first), self.place(record.second)
            back = target.cache.get(new) if record.offset & RENAME_EXCHANGE else None
            self.change([(source, old, back), (target, new, source.cache[old])])
        elif kind == "S" and not self.ignores_flushes:
            self.flush(node)
        elif kind == "F" and isinstance(node, File):
            node.fail(chance)

    def flush(self, node: File | Folder) -> None:
        if isinstance(node, File):
            node.flush()
            return
        # what the flush of a directory brings along: earlier changes of the same names in other directories
        keys, flushed, left = set(), [], []
        for names in reversed(self.pending):
            here = {(id(folder), name) for folder, name, _ in names}
            if keys & here or any(folder is node for folder, _, _ in names):
                keys |= here
                flushed.append(names)
            else:
                left.append(names)
        for names in reversed(flushed):
            apply(names, disk=True)
        self.pending = left[::-1]

    def after(self, chance: random.Random, how: str) -> Files:
        """The files after a loss of power.

        `nothing` that was not flushed is there; `everything` is; `files` has each file with a fate of its own.
        """
        names = {}
        chosen = {"nothing": 0, "everything": len(self.pending)}.get(how)
        if chosen is None and chance.getrandbits(1):
            chosen = chance.randint(0, len(self.pending))
        lost, share = set(), chance.choice([0.1, 0.5, 0.9])
        for number, change in enumerate(self.pending):
            keys = {(id(folder), name) for folder, name, _ in change}
            is_there = number < chosen if chosen is not None else chance.random() < share
            if is_there and not keys & lost:
                names.update({(id(folder), name): node for folder, name, node in change})
            else:
                lost |= keys
        files: Files = {}
        self.collect(self.root, "", names, files, chance, how)
        return files

    def collect(self, node: Folder, path: str, names: dict, files: dict, chance: random.Random, how: str) -> None:
        entries = dict(node.disk)
        entries.update({name: below for (folder, name), below in names.items() if folder == id(node)})
        for name, below in sorted(entries.items()):
            if isinstance(below, Folder):
                files[path + name] = (None, "")
                self.collect(below, path + name + "/", names, files, chance, how)
            elif below is not None:
                share = {"nothing": 0.0, "everything": 1.0}.get(how)
                if share is None:
                    share = chance.choice([0.0, 0.1, 0.5, 0.9, 1.0])
                files[path + name] = (below.after(chance, share), below.maker)


def apply(names: Change, *, disk: bool) -> None:
    for folder, name, node in names:
        entries = folder.disk if disk else folder.cache
        if node is None:
            entries.pop(name, None)
        else:
            entries[name] = node
