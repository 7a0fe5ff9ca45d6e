"""What is private, and does not show itself."""

from __future__ import annotations

from typing import NoReturn

from ._errors import DpfdaError


class Private:
    """What refuses to be shown, copied or pickled, because it is private."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(..)"

    def __reduce__(self) -> NoReturn:
        raise DpfdaError("private data are not pickled or copied: only releases, plans and studies are")
