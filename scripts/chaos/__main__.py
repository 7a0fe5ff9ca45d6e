"""Attack the ledger of an installed `dpfda`: losses of power, full disks, failing flushes, clocks and locks that lie.

    python3 scripts/chaos                                 the command on the path
    python3 scripts/chaos ./dpfda --states 6000

Everything is done to made-up data in a temporary folder. The command is not changed: a small library, which is compiled from
`shim.c`, watches and disturbs its system calls. It needs Linux on x86-64, Python's standard library and a C compiler.

Exit code: 0 every claim held, 1 a claim failed, 2 the attacks could not be run.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import faults
import locks
import power
from runs import Bench, Claims, make_data

ATTACKS = {"power": power.run, "faults": faults.run, "locks": locks.run}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", nargs="?", default="dpfda", help="the command to attack (default: dpfda)")
    parser.add_argument("--states", type=int, default=6000, help="states to make after losses of power (default: 6000)")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of states and of what fails at random (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="commands at one time (default: one a core)")
    parser.add_argument("--only", choices=ATTACKS, action="append", help="these attacks alone")
    arguments = parser.parse_args()
    command = shutil.which(arguments.command)
    if command is None or platform.machine() != "x86_64" or sys.platform != "linux":
        print(f"{arguments.command}: no such command, or this is not Linux on x86-64", file=sys.stderr)
        return 2
    # a disk in memory, where there is one: nothing here waits for a real disk
    memory = Path("/dev/shm")
    where = memory if os.access(memory, os.W_OK) else None
    # no library is loaded from a disk in memory in some containers
    with tempfile.TemporaryDirectory() as built, tempfile.TemporaryDirectory(dir=where) as place:
        shim = Path(built) / "shim.so"
        source = Path(__file__).with_name("shim.c")
        try:
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", shim, source], check=True)
            bench = Bench(os.path.abspath(command), shim, Path(os.path.realpath(place)))
            make_data(bench.place)
            return attack(bench, arguments)
        except (OSError, subprocess.SubprocessError, RuntimeError, ValueError, LookupError) as error:
            print(f"the attacks could not be run: {error!r}", file=sys.stderr)
            return 2


def attack(bench: Bench, arguments: argparse.Namespace) -> int:
    failed = 0
    for name in arguments.only or ATTACKS:
        claims, begin = Claims(), time.monotonic()
        lines = ATTACKS[name](bench, claims, arguments.states, arguments.seed, arguments.jobs)
        print(f"{name} ({time.monotonic() - begin:.0f} s)", *lines, *claims.table(), sep="\n", flush=True)
        failed += sum(claims.failed.values())
    print("REFUTED: a claim failed" if failed else "STANDS: every claim held")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
