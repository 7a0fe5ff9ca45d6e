"""Ten-fold private cross-validation of the penalised mean with NumPy, on one thread: 30 penalties x 30 ranges, 376 curves.

    python crossval.py closed-form
    python crossval.py monte-carlo

closed-form: the expected squared score of the isonormal estimate, one eigenproblem for each range, all penalties at once.
monte-carlo: the same expectation by 1000 vectorised draws of the sanitised estimate for each candidate and fold, against
the fold mean. A few candidates are timed and the time is multiplied up to all 900.
"""

import argparse

from one_thread import np, report, times

RECORDS, POINTS, FOLDS, DRAWS = 376, 93, 10, 1000
PENALTIES = np.geomspace(1e-5, 0.3, 30)
RANGES = np.geomspace(0.05, 1.0, 30)
SIGMA = 0.0037


def curves():
    rng = np.random.default_rng(1)
    t = np.linspace(0, 1, POINTS)
    return 0.5 + rng.uniform(-0.2, 0.2, (RECORDS, 1)) * np.sin(6 * t) + 0.05 * rng.standard_normal((RECORDS, POINTS))


def basis(rho):
    """Eigenvalues and orthonormal columns of the Matern 3/2 kernel in coordinates times sqrt(w)."""
    t = np.linspace(0, 1, POINTS)
    d = np.sqrt(3) * np.abs(t[:, None] - t) / rho
    w = np.full(POINTS, 1 / (POINTS - 1))
    w[[0, -1]] /= 2
    roots = np.sqrt(w)
    return np.linalg.eigh(roots[:, None] * ((1 + d) * np.exp(-d)) * roots), roots


def fold_means(x, roots):
    folds = np.array_split(np.random.default_rng(2).permutation(RECORDS), FOLDS)
    total = x.sum(0)
    sums = np.array([x[f].sum(0) for f in folds])
    sizes = np.array([len(f) for f in folds])[:, None]
    spread = np.mean([((x[f] - x[f].mean(0)) ** 2 * roots**2).sum(1).mean() for f in folds])
    kept = (total - sums) / (RECORDS - sizes)
    return kept * roots, sums / sizes * roots, spread, SIGMA * RECORDS / (RECORDS - sizes[:, 0])


def closed_form(x):
    (_, _), roots = basis(1.0)
    kept, left, spread, sigma = fold_means(x, roots)
    scores = np.empty((len(RANGES), len(PENALTIES)))
    for i, rho in enumerate(RANGES):
        (values, u), _ = basis(rho)
        a, b = kept @ u, left @ u
        constant = spread + ((left**2).sum() - (b**2).sum()) / FOLDS
        s = values / (values + PENALTIES[:, None])
        bias = ((s[:, None, :] * a - b) ** 2).sum(2).mean(1)
        scores[i] = constant + bias + (sigma**2).mean() * (s**2).sum(1)
    return scores


def monte_carlo_candidate(kept, left, sigma, values, u, penalty, rng):
    """One candidate: the mean over folds and draws of the squared distance to the fold mean."""
    s = values / (values + penalty)
    score = 0.0
    for a, b, scale in zip(kept, left, sigma):
        fit = u @ (s * (a @ u))
        noise = (rng.standard_normal((DRAWS, POINTS)) * (scale * s)) @ u.T
        score += ((fit + noise - b) ** 2).sum(1).mean() / FOLDS
    return score


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("method", choices=["closed-form", "monte-carlo"])
    arguments = parser.parse_args()
    x = curves()
    if arguments.method == "closed-form":
        report(times(lambda: closed_form(x), 15), task="private cross-validation, closed form")
        return
    (values, u), roots = basis(0.3)
    kept, left, _, sigma = fold_means(x, roots)
    rng = np.random.default_rng(3)
    seconds = times(lambda: monte_carlo_candidate(kept, left, sigma, values, u, 1e-3, rng), 7)
    candidates = len(PENALTIES) * len(RANGES)
    report([one * candidates for one in seconds], task="private cross-validation, Monte Carlo", extrapolated_from=1)


if __name__ == "__main__":
    main()
