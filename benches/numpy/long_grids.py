"""What long grids are compared with, in NumPy on one thread.

    python long_grids.py eigh N gaussian|matern32

Timed: `numpy.linalg.eigh` of the weighted covariance matrix alone.
"""

import argparse

from one_thread import np, report, times

KERNELS = {
    # exp(-d^2 / (2 l^2)) with length scale l = 0.1
    "gaussian": lambda d: np.exp(-(d**2) / 0.02),
    "matern32": lambda d: (1 + np.sqrt(3) * d / 0.2) * np.exp(-np.sqrt(3) * d / 0.2),
}


def matrix(n, kernel):
    """W^{1/2} K W^{1/2} on a uniform grid with trapezoid weights."""
    t = np.linspace(0, 1, n)
    w = np.full(n, 1 / (n - 1))
    w[[0, -1]] /= 2
    roots = np.sqrt(w)
    return roots[:, None] * KERNELS[kernel](np.abs(t[:, None] - t)) * roots


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=["eigh"])
    parser.add_argument("n", type=int, metavar="N")
    parser.add_argument("kernel", nargs="?", choices=KERNELS, default="matern32")
    parser.add_argument("--runs", type=int, default=7)
    arguments = parser.parse_args()
    a = matrix(arguments.n, arguments.kernel)
    work = lambda: np.linalg.eigh(a)  # noqa: E731
    report(times(work, arguments.runs), task=arguments.task, n=arguments.n, kernel=arguments.kernel)


if __name__ == "__main__":
    main()
