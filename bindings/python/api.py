"""Write docs/python/api.md from the docstrings: python bindings/python/api.py [--check]."""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path
from typing import Any

import dpfda

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "python" / "api.md"
HEAD = """# Every class and function

`python bindings/python/api.py` writes this page from the docstrings. Edit them, not this page.
"""
#: What is made by functions and methods, and by no call of its own.
MADE = (
    "dpfda.CrossValidation",
    "dpfda.DensityRelease",
    "dpfda.FunctionalsRelease",
    "dpfda.GroupsRelease",
    "dpfda.KeptPath",
    "dpfda.RowsRelease",
    "dpfda.Part",
    "dpfda.PathRelease",
    "dpfda.Plan",
    "dpfda.Posterior",
    "dpfda.RegressionRelease",
    "dpfda.Release",
    "dpfda.SigningKey",
    "dpfda.SurfaceRelease",
)
MODULES = {"dask": "dpfda.dask", "spark": "dpfda.spark", "sklearn": "dpfda.sklearn"}


def signature(node: ast.FunctionDef) -> str:
    """The arguments of a function with their defaults."""
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(plain) - len(given.defaults)) + list(given.defaults)
    shown = [argument(one.arg, default) for one, default in zip(plain, defaults) if one.arg not in ("self", "cls")]
    if given.kwonlyargs:
        shown.append("*")
    shown += [argument(one.arg, default) for one, default in zip(given.kwonlyargs, given.kw_defaults)]
    return ", ".join(shown + ([f"**{given.kwarg.arg}"] if given.kwarg else []))


def argument(name: str, default: ast.expr | None) -> str:
    """An argument with its default."""
    return name if default is None else f"{name}={ast.unparse(default)}"


def documented(node: Any) -> str:
    """The docstring, indented text as code."""
    text = ast.get_docstring(node)
    return f"\n```text\n{text}\n```\n" if text else ""


def of_class(node: ast.ClassDef, name: str) -> list[str]:
    """A class and its public methods."""
    init = next((one for one in node.body if isinstance(one, ast.FunctionDef) and one.name in ("__init__", "__new__")), None)
    lines = [f"\n### `{name}`\n{documented(node)}"]
    if init is not None and name not in MADE:
        lines.append(f"\n```python\n{name}({signature(init)})\n```\n")
    short = name.split(".")[-1]
    attributes = []
    for one in node.body:
        if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call) and one.value.keywords:
            said = one.value.keywords[0].value
            attributes.append(f"- `{ast.unparse(one.targets[0])}`: {ast.literal_eval(said)}\n")
        if isinstance(one, ast.FunctionDef) and (not one.name.startswith("_") or one.name == "__call__"):
            is_property = any(isinstance(mark, ast.Name) and mark.id == "property" for mark in one.decorator_list)
            if is_property:
                attributes.append(f"- `{one.name}`: {(ast.get_docstring(one) or 'see above').splitlines()[0]}\n")
            else:
                called = short.lower() if one.name == "__call__" else f"{short}.{one.name}"
                lines.append(f"\n#### `{called}({signature(one)})`\n{documented(one)}")
    return lines[:1] + ["\n", *attributes] * bool(attributes) + lines[1:]


def parts(path: Path) -> dict[str, Any]:
    """The classes and functions of a file."""
    tree = ast.parse(path.read_text())
    return {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}


def named(one: ast.stmt) -> str:
    """What a statement of a class defines, if anything."""
    if isinstance(one, ast.Assign):
        return ast.unparse(one.targets[0])
    return one.name if isinstance(one, ast.FunctionDef) else ""


def definitions(path: Path) -> dict[str, Any]:
    """The classes and functions of a file; what a class has from its bases in the package stands behind its own."""
    found = parts(path)
    common = {**parts(path.with_name("_documents.py")), **parts(path.with_name("_estimated.py"))}
    bases = {**common, **{name: node for name, node in found.items() if name.startswith("_")}}
    for node in found.values():
        waiting = list(getattr(node, "bases", []))
        while waiting:
            base = bases.get(ast.unparse(waiting.pop(0)))
            if isinstance(base, ast.ClassDef) and base is not node:
                own = {named(one) for one in node.body} - {""}
                node.body += [one for one in base.body if named(one) not in own]
                waiting += base.bases
    return found


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
