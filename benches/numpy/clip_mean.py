"""The mean of rows clipped to a ball, in plain NumPy, on one thread.

    python clip_mean.py ROWS COLS

Timed: weighted norms of the rows, scale min(1, tau / norm), mean of the scaled rows. No lattice and no noise: this is the
arithmetic that a release of ROWS curves at COLS points cannot do without. ROWS = 1000000 and COLS = 93 take about 2.5 GB.
"""

import argparse

from one_thread import np, report, times

# With values uniform in [-1/2, 1/2] the root mean square of a row is about 0.289: half of the rows are clipped.
RADIUS = 0.289


def clip_mean(x, w, tau):
    """The mean of the rows of x, each scaled into the ball of radius tau in the norm with weights w."""
    norm = np.sqrt(x**2 @ w)
    scale = np.minimum(1, tau / norm)
    return (x * scale[:, None]).mean(axis=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int, metavar="ROWS")
    parser.add_argument("cols", type=int, metavar="COLS", help="at least 2")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    rows, cols = arguments.rows, arguments.cols
    x = np.random.default_rng(1).random((rows, cols)) - 0.5
    w = np.full(cols, 1 / (cols - 1))
    w[[0, -1]] /= 2
    seconds = times(lambda: clip_mean(x, w, RADIUS), arguments.runs)
    report(seconds, task="clip_mean", rows=rows, cols=cols)


if __name__ == "__main__":
    main()
