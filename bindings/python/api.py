"""Write docs/python/api.md and the stub of the doors from the package: python bindings/python/api.py [--check]."""

from __future__ import annotations

import importlib
import inspect
import sys
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dpfda
from dpfda import _dpfda

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "python" / "api.md"
STUB = HERE / "python" / "dpfda" / "_doors.pyi"
HEAD = """# Every class and function

`python bindings/python/api.py` writes this page from the docstrings and from the table of settings. Edit them, not this page.
"""
STUB_HEAD = '''"""Written by bindings/python/api.py from the table of settings: edit that, not this."""

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Literal

'''
#: What is made by functions and methods, and by no call of its own.
MADE = ("CrossValidation", "KeptPath", "Part", "Plan", "Posterior", "SigningKey")
KINDS = ("mean", "groups", "change", "rows", "surface", "regression", "centiles", "density")
MODULES = ("dask", "spark", "sklearn")


def page() -> str:
    """The whole page."""
    lines = [HEAD, "\n## dpfda\n"]
    for name in dpfda.__all__:
        if name != "__version__":
            lines += of(getattr(dpfda, name), name, f"dpfda.{name}")
    for short in MODULES:
        module = importlib.import_module(f"dpfda.{short}")
        lines.append(f"\n## {module.__name__}\n")
        own = [name for name, found in vars(module).items() if getattr(found, "__module__", "") == module.__name__]
        for name in own:
            if not name.startswith("_"):
                lines += of(getattr(module, name), name, f"{module.__name__}.{name}")
    return "".join(lines)


def of(found: Any, name: str, full: str) -> list[str]:
    """A class or a function."""
    if not inspect.isclass(found):
        return [f"\n### `{full}{signature(found)}`\n{documented(found)}"]
    lines = [f"\n### `{full}`\n{documented(found)}"]
    is_made = name in MADE or name.endswith("Release") or hasattr(found, "_fields") or issubclass(found, Exception)
    if not is_made:
        lines.append(f"\n```python\n{full}{signature(found)}\n```\n")
    properties, methods = [], []
    for member, value in members(found):
        if isinstance(value, property):
            properties.append(f"- `{member}`: {(inspect.getdoc(value) or 'see above').splitlines()[0]}\n")
        elif member == "__call__":
            methods.append(f"\n#### `{name.lower()}{signature(value)}`\n{documented(value)}")
        else:
            methods.append(f"\n#### `{name}.{member}{signature(value)}`\n{documented(value)}")
    return [*lines, *(["\n"] if properties else []), *properties, *methods]


def members(owner: type) -> Iterator[tuple[str, Any]]:
    """The public methods and properties of a class, its own before those of its bases."""
    seen: set[str] = set()
    for base in inspect.getmro(owner):
        # what a door has from a study is told of the study
        if not base.__module__.startswith("dpfda.") or (base is dpfda.Study and owner is not base):
            continue
        for name, value in vars(base).items():
            function = getattr(value, "__func__", value)
            is_public = not name.startswith("_") or name == "__call__"
            if is_public and name not in seen and (inspect.isfunction(function) or isinstance(value, property)):
                seen.add(name)
                yield name, value if isinstance(value, property) else function


def signature(found: Any) -> str:
    """The arguments of a function with their defaults."""
    made = inspect.signature(found)
    plain = [one.replace(annotation=one.empty) for name, one in made.parameters.items() if name not in ("self", "cls")]
    return str(made.replace(parameters=plain, return_annotation=made.empty))


def documented(found: Any) -> str:
    """The docstring, indented text as code."""
    text = inspect.getdoc(found)
    return f"\n```text\n{text.strip()}\n```\n" if text else ""


def stub() -> str:
    """The doors with the types of their settings."""
    classes = [(kind, getattr(dpfda, f"Private{kind.capitalize()}")) for kind in KINDS]
    released = {cls: typing.get_args(cls.__orig_bases__[0])[0] for _, cls in classes}
    homes = sorted({(one.__module__.rpartition(".")[2], one.__name__) for one in (dpfda.Study, *released.values())})
    modules = dict.fromkeys(module for module, _ in homes)
    lines = [STUB_HEAD]
    lines += [f"from .{module} import {', '.join(name for home, name in homes if home == module)}\n" for module in modules]
    for kind, cls in classes:
        settings = [f"        {name}: {type} | None = {shown(default)},\n" for name, type, default, _ in _dpfda.settings_of(kind)]
        head = f"\nclass {cls.__name__}(Study[{released[cls].__name__}]):\n    def __init__(\n        self,\n        *,\n"
        lines += [head, *settings, "    ) -> None: ...\n"]
    return "".join(lines)


def shown(value: Any) -> str:
    """A default, as Python code is written."""
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    for path, made in ((PAGE, page()), (STUB, stub())):
        if "--check" not in sys.argv:
            path.write_text(made)
        elif not path.exists() or path.read_text() != made:
            sys.exit(f"{path.name} is not what the package says: run python bindings/python/api.py")
