#!/usr/bin/env python3
"""Put every type of figure beside its predecessor, on one sheet.

    python3 scripts/figure_sheet.py                    writes target/figures.html
    python3 scripts/figure_sheet.py --since COMMIT     beside the pictures of another commit

The pictures are the golden ones of the tests. By default the predecessors are those of the commit that first
had a picture of every type. A type that is new stands alone. Only git and Python's standard library are used.
"""

import argparse
import html
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = "crates/plotting/tests/pictures/golden"
# "a golden picture of every type of figure, as they were"
FIRST = "a3c8d2df"
STYLE = """body { font: 14px sans-serif; margin: 24px }
section { display: flex; gap: 24px; break-inside: avoid }
section > div { flex: 1 }
svg { width: 100%; height: auto }"""


def picture(commit: str, name: str) -> str:
    """The picture at a commit; empty where there was none."""
    shown = subprocess.run(["git", "show", f"{commit}:{GOLDEN}/{name}"], cwd=ROOT, capture_output=True, text=True, check=False)
    return shown.stdout if shown.returncode == 0 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--since", default=FIRST)
    commit = parser.parse_args().since
    rows = []
    for path in sorted((ROOT / GOLDEN).glob("*.svg")):
        before, now = picture(commit, path.name), path.read_text(encoding="utf-8")
        name = html.escape(path.stem)
        rows.append(f"<h2>{name}</h2><section><div>{before or 'new'}</div><div>{now}</div></section>")
    sheet = ROOT / "target" / "figures.html"
    sheet.parent.mkdir(exist_ok=True)
    head = f"<!doctype html><meta charset=utf-8><title>Figures</title><style>{STYLE}</style>"
    sheet.write_text(f"{head}<h1>{html.escape(commit)}, and now</h1>{''.join(rows)}", encoding="utf-8")
    print(f"{len(rows)} types of figures: {sheet.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
