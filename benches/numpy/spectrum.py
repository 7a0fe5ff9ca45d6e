"""All Mercer pairs of a kernel on a uniform grid of [0, 1] with NumPy, on one thread.

    python spectrum.py N gaussian|matern32

Timed: covariance matrix, trapezoid weights, eigh of W^{1/2} K W^{1/2}, eigenfunctions v = W^{-1/2} u.
"""

import argparse

from one_thread import np, report, times

KERNELS = {
    # name: (range, covariance of the distance)
    "gaussian": (0.05, lambda d, rho: np.exp(-(d**2) / rho)),
    "matern32": (0.2, lambda d, rho: (1 + np.sqrt(3) * d / rho) * np.exp(-np.sqrt(3) * d / rho)),
}


def spectrum(n, kernel):
    """Eigenvalues, decreasing, and eigenfunctions as columns."""
    rho, covariance = KERNELS[kernel]
    t = np.linspace(0, 1, n)
    k = covariance(np.abs(t[:, None] - t), rho)
    w = np.full(n, 1 / (n - 1))
    w[[0, -1]] /= 2
    roots = np.sqrt(w)
    values, vectors = np.linalg.eigh(roots[:, None] * k * roots)
    return values[::-1], vectors[:, ::-1] / roots[:, None]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", type=int, metavar="N", help="grid points, at least 2")
    parser.add_argument("kernel", choices=KERNELS)
    parser.add_argument("--runs", type=int, help="default: as many as take about 3 seconds, from 5 to 200")
    arguments = parser.parse_args()
    work = lambda: spectrum(arguments.n, arguments.kernel)  # noqa: E731
    runs = arguments.runs or min(200, max(5, int(3 / min(times(work, 1)))))
    report(
        times(work, runs),
        task="spectrum",
        n=arguments.n,
        kernel=arguments.kernel,
        range=KERNELS[arguments.kernel][0],
        largest_eigenvalue=work()[0][0],
    )


if __name__ == "__main__":
    main()
