"""Who signed a release: keys and signatures in the files that the command writes and reads."""

from __future__ import annotations

import os
import warnings
from typing import Any, NamedTuple

from . import _dpfda
from ._documents import Path, followed, new_file, parsed
from ._dpfda import new_keys, verify_signature
from ._errors import DocumentError, DpfdaError
from ._private import Private
from ._study import Study

#: The environment variable of a passphrase.
PASSPHRASE = "DPFDA_PASSPHRASE"


class Signed(NamedTuple):
    """What a signature says that holds.

    Attributes
    ----------
    key : str
        The id of the key that signed.
    at : int or None
        When, in seconds after 1970 by the clock of whoever signed.
    """

    key: str
    at: int | None


class SigningKey(Private):
    """A secret key that signs releases: ``release.write("release.json", sign=key)``.

    Its files are those of ``dpfda key new`` and of minisign. Keep the file of the secret key where nobody else can read it, and
    publish the file that ends in ``.pub``.
    """

    __slots__ = ("_key",)

    def __init__(self, key: _dpfda.SigningKey) -> None:
        self._key = key

    @classmethod
    def new(cls, path: Path, *, passphrase: str | None = None, no_passphrase: bool = False) -> SigningKey:
        """Make a pair of keys in two new files: the secret key, and the public key in a file of the same name with ``.pub``.

        Parameters
        ----------
        path : path
            The new file of the secret key. Only its owner can read it.
        passphrase : str, optional
            What protects the file; by default the environment variable ``DPFDA_PASSPHRASE``.
        no_passphrase : bool
            Make a key without one: whoever copies the file can sign.
        """
        given = None if no_passphrase else _passphrase(passphrase)
        if no_passphrase and passphrase is not None:
            raise DpfdaError("give a passphrase or no_passphrase=True, and not both", "passphrase")
        if not no_passphrase and given is None:
            text = f"give a passphrase, also in the environment variable {PASSPHRASE}, or no_passphrase=True"
            raise DpfdaError(text, "passphrase")
        public = f"{os.fspath(path)}.pub"
        secret_text, public_text = new_keys(given)
        new_file(path, secret_text.encode(), others=[public], secret=True)
        new_file(public, public_text.encode())
        return cls(_dpfda.SigningKey.open(path, given, False))

    @classmethod
    def read(cls, path: Path, *, passphrase: str | None = None, strict: bool = False) -> SigningKey:
        """Open a secret key.

        Parameters
        ----------
        path : path
            The file, as :meth:`new` or ``dpfda key new`` made it.
        passphrase : str, optional
            Its passphrase; by default the environment variable ``DPFDA_PASSPHRASE``.
        strict : bool
            Refuse a key that others on this machine can read, or that has no passphrase, where otherwise a warning says so.
        """
        key = _dpfda.SigningKey.open(path, _passphrase(passphrase), strict)
        for weakness in key.weaknesses:
            warnings.warn(f"the key {weakness}", stacklevel=2)
        return cls(key)

    def sign(self, content: bytes) -> str:
        """Return the signature of a document, as the text of its file."""
        return self._key.sign(content)

    @property
    def id(self) -> str:
        """The id of the key, which is in every signature. It is public."""
        return self._key.id


def verify(document: Path, public_key: Path | None = None, *, study: Study[Any] | Path | None = None) -> Signed | None:
    """Say who signed a release, and whether it follows a study, as ``dpfda verify`` does.

    A release that was changed since it was signed, in any byte, is refused, and so is one that follows another study or none.
    Where nobody signed, whoever wrote the file could have written the digest of the study.

    Parameters
    ----------
    document : path
        The file of the release. Its signature lies beside it, in a file of the same name with ``.minisig``.
    public_key : path, optional
        The file of the public key of whoever is said to have signed.
    study : Study or path, optional
        The study that the release is said to follow: it must name it, and have its guarantee.

    Returns
    -------
    Signed or None
        None without `public_key`.

    Raises
    ------
    DocumentError
        For a document that was changed, is signed by another key or not at all, follows another study, or is no release.
    """
    if public_key is None and study is None:
        raise DpfdaError("give the public key of whoever signed, a study that the release follows, or both", "public_key")
    agreed = study if isinstance(study, Study) or study is None else Study.read(study)
    try:
        with open(document, "rb") as file:
            content = file.read()
    except OSError as refused:
        raise DpfdaError(f"the document cannot be read: {refused.strerror}", "document") from None
    signed = verify_signature(document, content, public_key)
    if agreed is not None:
        text = content.decode()
        _refuse_other(followed(parsed(text)), agreed.digest)
        agreed.agrees_with(text)
    return None if signed is None else Signed(*signed)


def _refuse_other(said: str | None, given: str) -> None:
    """Refuses the digest of another study, or of none."""
    if said != given:
        other = "no study" if said is None else f"the study with the digest {said}, and that of the given study is {given}"
        raise DocumentError(f"the release follows {other}", "study")


def _passphrase(given: str | None) -> str | None:
    if not isinstance(given, (str, type(None))):
        raise DpfdaError("passphrase must be text", "passphrase")
    return given or os.environ.get(PASSPHRASE) or None
