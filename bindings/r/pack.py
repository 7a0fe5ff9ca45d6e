"""Pack the source package of R, with the crates that it is built from: python3 bindings/r/pack.py [--authors] [folder].

The package builds offline: our crates lie in src/workspace, and those of others in src/workspace/vendor.tar.xz. Of a crate that the
lock names and nothing here is built from, the manifest alone goes along. ``--authors`` writes inst/AUTHORS and nothing else.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: Folders of crates that are not built.
IDLE = ("tests", "benches", "examples", "doc", "docs", "ci", ".github", "fuzz", "assets", "testdata", "test-data")


def cargo(*arguments: str, at: Path = ROOT) -> str:
    """What cargo says."""
    return subprocess.run(["cargo", *arguments], cwd=at, check=True, capture_output=True, text=True).stdout


def built_from() -> set[tuple[str, str]]:
    """Names and versions of all crates that the package is built from, on any platform."""
    tree = cargo("tree", "--package", "dpfda-r", "--edges", "normal,build", "--prefix", "none", "--no-dedupe", "--target", "all")
    return {(line.split()[0], line.split()[1].lstrip("v")) for line in tree.splitlines() if line.strip()}


def authors(needed: set[tuple[str, str]]) -> str:
    """Every crate with its licence and its authors."""
    packages = json.loads(cargo("metadata", "--format-version", "1", "--locked"))["packages"]
    lines = ["The compiled part of this package is built from these crates: name, version, licence, authors.", ""]
    for one in sorted(packages, key=lambda one: (one["name"], one["version"])):
        if (one["name"], one["version"]) in needed and one["source"]:
            told = "; ".join(re.sub(r"\s*<[^>]*>", "", author) for author in one["authors"]) or f"the authors of {one['repository']}"
            lines.append(f"{one['name']} {one['version']}: {one['license']}: {told}")
    return "\n".join(lines) + "\n"


def without_tests(manifest: str) -> str:
    """A manifest without tests, examples and what they need."""
    parts = re.split(r"(?m)^(?=\[)", manifest)
    return "".join(part for part in parts if not part.startswith(("[[", "[dev-dependencies]")))


def copied(folder: Path, into: Path, is_needed: bool) -> None:
    """One of our crates; its manifest alone, where only an optional dependency names it."""
    into.mkdir(parents=True)
    (into / "Cargo.toml").write_text(without_tests((folder / "Cargo.toml").read_text()))
    if is_needed:
        shutil.copytree(folder / "src", into / "src", ignore=shutil.ignore_patterns("tests", "tests.rs", "*_tests.rs"))
    else:
        (into / "src").mkdir()
        (into / "src" / "lib.rs").write_text("")


def workspace(into: Path, needed: set[tuple[str, str]]) -> None:
    """Our crates, in the places that they have here."""
    names = {name for name, _ in needed}
    crates = [path for path in (ROOT / "crates").iterdir() if f"dpfda-{path.name}" in names | {"dpfda-audit", "dpfda-plotting"}]
    copied(ROOT, into, True)
    for path in crates:
        copied(path, into / "crates" / path.name, f"dpfda-{path.name}" in names)
    copied(HERE / "src" / "rust", into / "bindings" / "r" / "src" / "rust", True)
    manifest = (into / "Cargo.toml").read_text()
    manifest = re.sub(r"(?m)^members = .*$", 'members = ["crates/*", "bindings/r/src/rust"]', manifest)
    manifest = re.sub(r"(?m)^(exclude|default-members|readme) = .*\n", "", manifest)
    kept = {f"profile.wheel.package.{name}" for name in names} | {"profile.wheel", "profile.release"}
    parts = re.split(r"(?m)^(?=\[)", manifest)
    manifest = "".join(part for part in parts if not part.startswith("[profile") or part[1 : part.index("]")] in kept)
    (into / "Cargo.toml").write_text(manifest)
    shutil.copy(ROOT / "Cargo.lock", into)
    cargo("update", "--workspace", "--offline", at=into)


def vendored(into: Path, needed: set[tuple[str, str]]) -> None:
    """The crates of others, as one archive."""
    vendor = into / "vendor"
    cargo("vendor", "--locked", "--versioned-dirs", "vendor", at=into)
    for folder in vendor.iterdir():
        name, version = re.fullmatch(r"(.+?)-(\d+\.\d+\.\d+.*)", folder.name).groups()
        reduced(folder, (name, version) in needed)
    with tarfile.open(into / "vendor.tar.xz", "w:xz", preset=9) as archive:
        archive.add(vendor, "vendor", filter=plain)
    shutil.rmtree(vendor)


def reduced(folder: Path, is_needed: bool) -> None:
    """What is compiled of a crate."""
    checksum = folder / ".cargo-checksum.json"
    package = json.loads(checksum.read_text())["package"]
    checksum.write_text(json.dumps({"files": {}, "package": package}))
    for path in list(folder.iterdir()):
        is_idle = path.name in IDLE or path.name in ("Cargo.lock", "Cargo.toml.orig")
        if path.name not in ("Cargo.toml", checksum.name) and (is_idle or not is_needed):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    if not is_needed:
        library = re.search(r'(?ms)^\[lib\].*?^path = "([^"]+)"', (folder / "Cargo.toml").read_text())
        path = folder / (library[1] if library else "src/lib.rs")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    """A member of nobody, made at no time: the same crates give the same archive."""
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


def main() -> None:
    """Writes the folder of the source package, for R CMD build."""
    needed = built_from()
    (HERE / "inst").mkdir(exist_ok=True)
    (HERE / "inst" / "AUTHORS").write_text(authors(needed))
    if "--authors" in sys.argv:
        return
    folders = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    into = Path(folders[0] if folders else ROOT / "target" / "r-package") / "dpfda"
    shutil.rmtree(into, ignore_errors=True)
    idle = shutil.ignore_patterns("pack.py", "signatures.R", "measure.R", "Makevars", "*.o", "*.so", "rust", ".gitignore")
    shutil.copytree(HERE, into, ignore=idle)
    (into / "src" / "rust").mkdir()
    shutil.copy(HERE / "src" / "rust" / "api.h", into / "src" / "rust")
    workspace(into / "src" / "workspace", needed)
    vendored(into / "src" / "workspace", needed)
    print(into)


if __name__ == "__main__":
    main()
