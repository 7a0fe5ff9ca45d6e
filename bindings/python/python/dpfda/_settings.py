"""Settings of studies, as signatures and docstrings have them: those of the compiled table."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, Optional, TypeVar, Union

from ._dpfda import settings_of
from ._study import Study

S = TypeVar("S", bound=type[Study[Any]])
#: What types of settings are written with.
TYPES = {"Literal": Literal, "Sequence": Sequence, "Mapping": Mapping, "PathLike": PathLike}


def door(kind: str) -> Callable[[S], S]:
    """Gives a class the settings of its kind: its constructor with types, and their help."""

    def of(cls: S) -> S:
        rows = settings_of(kind)

        def __init__(self: Study[Any], **settings: Any) -> None:  # noqa: N807
            Study.__init__(self, kind, **settings)  # type: ignore[arg-type]

        types = {name: Optional[Union[tuple(eval(one, {}, TYPES) for one in type.split(" | "))]] for name, type, _, _ in rows}
        keyword = inspect.Parameter.KEYWORD_ONLY
        made = [inspect.Parameter(name, keyword, default=default, annotation=types[name]) for name, _, default, _ in rows]
        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        __init__.__signature__ = inspect.Signature([own, *made], return_annotation=None)  # type: ignore[attr-defined]
        __init__.__annotations__ = {**types, "return": None}
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = __init__  # type: ignore[assignment,method-assign]
        cls.__doc__ = documented(cls.__doc__ or "", rows)
        return cls

    return of


def documented(text: str, rows: Sequence[tuple[str, str, Any, str]]) -> str:
    """A docstring with its parameters before the examples."""
    head, examples, rest = inspect.cleandoc(text).partition("Examples\n--------\n")
    parameters = [
        f"{name} : {type}\n{textwrap.indent(textwrap.fill(help, 120, break_on_hyphens=False), '    ')}"
        for name, type, _, help in rows
    ]
    return "\n".join([head.rstrip(), "", "Parameters", "----------", *parameters, "", examples + rest]).rstrip() + "\n"
