"""Counts of points in equal cells of [0, 1] with numpy.histogram, on one thread.

    python histogram.py POINTS CELLS

Timed: numpy.histogram with the range given, which is its fast path for equal cells. No noise.
"""

import argparse

from one_thread import np, report, times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=int, metavar="POINTS")
    parser.add_argument("cells", type=int, metavar="CELLS")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    x = np.random.default_rng(1).random(arguments.points)
    seconds = times(lambda: np.histogram(x, bins=arguments.cells, range=(0, 1)), arguments.runs)
    report(seconds, task="histogram", points=arguments.points, cells=arguments.cells)


if __name__ == "__main__":
    main()
