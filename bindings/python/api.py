"""Write docs/python/api.md from the docstrings: python bindings/python/api.py [--check]."""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from typing import Any

import dpfda

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs" / "python" / "api.md"
HEAD = """# Every class and function

`python bindings/python/api.py` writes this page from the docstrings. Edit them, not this page.
"""
MODULES = {"dask": "dpfda.dask", "spark": "dpfda.spark", "sklearn": "dpfda.sklearn"}


def signature(node: ast.FunctionDef) -> str:
    """The arguments of a function as they are written."""
    arguments = ast.unparse(node.args).removeprefix("self, ").removeprefix("cls, ")
    return "" if arguments in ("self", "cls") else arguments


def documented(node: Any) -> str:
    """The docstring, indented text as code."""
    text = ast.get_docstring(node)
    return f"\n```text\n{text}\n```\n" if text else ""


def of_class(node: ast.ClassDef, name: str) -> list[str]:
    """A class and its public methods."""
    init = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name in ("__init__", "__new__")), None)
    lines = [f"\n### `{name}`\n{documented(node)}"]
    private = name in ("dpfda.Release", "dpfda.Plan", "dpfda.Part", "dpfda.DensityRelease", "dpfda.Posterior")
    if init is not None and not private:
        lines.append(f"\n```python\n{name}({signature(init)})\n```\n")
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and (not one.name.startswith("_") or one.name == "__call__"):
            is_property = any(isinstance(mark, ast.Name) and mark.id == "property" for mark in one.decorator_list)
            written = one.name if is_property else f"{one.name}({signature(one)})"
            lines.append(f"\n#### `{name.split('.')[-1]}.{written}`\n{documented(one)}")
    return lines


def definitions(path: Path) -> dict[str, Any]:
    """The classes and functions of a file."""
    tree = ast.parse(path.read_text())
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


def page() -> str:
    """The whole page."""
    package = HERE / "python" / "dpfda"
    lines = [HEAD, "\n## dpfda\n"]
    for name in dpfda.__all__:
        if name == "__version__":
            continue
        module = inspect.getmodule(getattr(dpfda, name))
        file = "_dpfda.pyi" if module is None or module.__name__ == "dpfda._dpfda" else f"{module.__name__.split('.')[-1]}.py"
        lines += of(definitions(package / file)[name], f"dpfda.{name}")
    for file, module in MODULES.items():
        lines.append(f"\n## {module}\n")
        for name, node in definitions(package / f"{file}.py").items():
            if not name.startswith("_"):
                lines += of(node, f"{module}.{name}")
    return "".join(lines)


def of(node: Any, name: str) -> list[str]:
    """A class or a function."""
    if isinstance(node, ast.ClassDef):
        return of_class(node, name)
    return [f"\n### `{name}({signature(node)})`\n{documented(node)}"]


if __name__ == "__main__":
    if "--check" in sys.argv:
        if PAGE.read_text() != page():
            sys.exit("docs/python/api.md is not what the docstrings say: run python bindings/python/api.py")
    else:
        PAGE.write_text(page())
