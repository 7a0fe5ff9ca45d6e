//! Which noise, at equal guarantees: for one number, for several with delta = 0, and for a whole function.

use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

use dpfda::prelude::*;
use dpfda::privacy::{
    DensityGenerator, DiscreteLaplace, KNorm, LogConcavePrivacy, MixingLaw, NoiseFamily, RoundedKNorm, RoundedNormal,
    StudentT, best_family, relative_variance,
};

const RELEASES: u32 = 2000;

pub fn report() -> Result<String, Box<dyn Error>> {
    eprintln!("noise");
    Ok(one_number()? + &several_numbers()? + &measured_functionals()? + &functions()? + &speed()?)
}

fn one_number() -> Result<String, Box<dyn Error>> {
    let mut page = String::from(
        "## Noise for one number\n\nStandard deviation for sensitivity 1, each family at its smallest scale (Vinterbo 2022, Lemma 1); \
         the least in bold. `dpfda forecast --noise best` finds it.\n\n| (epsilon, delta) | Laplace | logistic | Gaussian | best Subbotin |\n|---|---|---|---|---|\n",
    );
    for (epsilon, delta) in
        [(1.0, 0.0), (1.0, 1e-6), (1.0, 1e-2), (1.0, 0.1), (0.1, 1e-6), (0.1, 1e-3), (0.1, 1e-2), (0.1, 0.1)]
    {
        let best = best_family(&PrivacyBudget::new(epsilon, delta)?)?;
        let candidates = best.candidates();
        let cell = |index: usize| {
            let Some(candidate) = candidates.get(index) else { return "-".to_owned() };
            let sd = format!("{:.3}", candidate.variance().sqrt());
            let sd = if candidate.family() == best.family() { format!("**{sd}**") } else { sd };
            match candidate.family() {
                NoiseFamily::Subbotin(noise) => format!("{sd} (r = {})", noise.shape()),
                _ => sd,
            }
        };
        writeln!(page, "| ({epsilon}, {delta:?}) | {} | {} | {} | {} |", cell(0), cell(1), cell(2), cell(3))?;
    }
    Ok(page + "\n")
}

/// Per coordinate, relative to K-norm noise, for Euclidean sensitivity 1 in `k` dimensions.
fn several_numbers() -> Result<String, Box<dyn Error>> {
    let mut page = String::from(
        "## Noise for several numbers with delta = 0\n\nVariance of one coordinate relative to ellipsoidal K-norm noise at the same \
         epsilon, for `k` linearly independent functionals whose joint sensitivity is Euclidean, as that of a mean in a ball is under substitute-one; t \
         noise with its best degrees of freedom. For comparison Gaussian noise, which needs a delta (here 1e-6). K-norm has the \
         least variance until epsilon is large, where t wins; independent Laplace noise ties for one functional and costs at most \
         twice as much. Laplace and K-norm noise are drawn exactly, t noise is not.\n\n\
         | k | epsilon | independent Laplace | t (degrees of freedom) | Gaussian, delta = 1e-6 |\n|---|---|---|---|---|\n",
    );
    for k in [1_usize, 2, 5, 10, 30] {
        for epsilon in [0.1, 1.0, 8.0, 16.0] {
            let k_norm = KNorm::new(k)?;
            let base = k_norm.scale_for(1.0, epsilon)?.powi(2) * k_norm.coordinate_variance();
            let laplace = 2.0 * k as f64 / (epsilon * epsilon);
            let (nu, student_t) = best_t(k, epsilon)?;
            let gaussian = GaussianPrivacy::calibrated(Calibration::Tight, &PrivacyBudget::new(epsilon, 1e-6)?)?;
            let gaussian = gaussian.scale(1.0)?.powi(2);
            let (laplace, student_t, gaussian) = (laplace / base, student_t / base, gaussian / base);
            writeln!(page, "| {k} | {epsilon} | {laplace:.3} | {student_t:.3} ({nu:.1}) | {gaussian:.3} |")?;
        }
    }
    Ok(page + "\n")
}

/// Degrees of freedom and variance of the best t noise, on a grid of one part in 20.
fn best_t(k: usize, epsilon: f64) -> Result<(f64, f64), Box<dyn Error>> {
    let mut best = (f64::NAN, f64::INFINITY);
    for step in 0..120 {
        let law = StudentT::new(2.0 + 0.2 * 1.05_f64.powi(step), k)?;
        let variance = law.scale_for(1.0, epsilon)?.powi(2) * law.coordinate_variance();
        if variance < best.1 {
            best = (law.nu(), variance);
        }
    }
    Ok(best)
}

/// Releases of points of the mean of the synthetic profiles: the error of each law, as it comes out.
fn measured_functionals() -> Result<String, Box<dyn Error>> {
    let curves = CurveSet::read_csv("data/dti_like.csv", &CurveLayout::new("cca_*")?.subject("ID"))?;
    let smoother = PenalizedMean::new(KernelName::Matern(2.5).with_range(0.25)?, 1e-2, 1.0)?;
    let mut page = format!(
        "Measured: root-mean-square error of {RELEASES} releases of `d` equally spaced values of the smoothed mean of the {} \
         subjects of `data/dti_like.csv`, ball (0.5, 0.25), epsilon = 2, against the same values without noise. `k` is how many of \
         them are linearly independent to one part in 1e10, which is what pure privacy pays for: ask for few.\n\n\
         | d | k | dispersion | discrete Laplace (exact) | K-norm | t, 7 degrees of freedom |\n|---|---|---|---|---|---|\n",
        curves.units()
    );
    let laws = [Law::DiscreteLaplace {}, Law::KNorm {}, Law::StudentT { degrees_of_freedom: 7.0 }];
    for d in [1_u32, 3, 10] {
        let asked: Vec<LinearFunctional> =
            (1..=d).map(|i| LinearFunctional::Evaluation { t: f64::from(i) / f64::from(d + 1) }).collect();
        for dispersion in [Dispersion::SmoothedWhite, Dispersion::Kernel] {
            let settings = PrivateFunctionals::new(Ball::new(Center::Constant(0.5), 0.25)?, 2.0, smoother.clone())?
                .dispersion(dispersion)
                .idealised_arithmetic();
            let exact = without_noise(&curves, &smoother, &asked)?;
            let (mut cells, mut rank) = (Vec::new(), 0);
            let mut randomness = SeededRandomness::from_seed(9);
            for noise in &laws {
                let settings = settings.clone().noise(noise.clone());
                let mut squares = 0.0;
                for _ in 0..RELEASES {
                    let release = settings.release(&curves, &asked, &mut randomness)?;
                    squares += Functionals::values(&release)
                        .iter()
                        .zip(&exact)
                        .map(|(value, exact)| (value - exact).powi(2))
                        .sum::<f64>();
                    rank = release.statistic().rank();
                }
                cells.push(format!("{:.4}", (squares / f64::from(RELEASES * d)).sqrt()));
            }
            let name = if dispersion == Dispersion::Kernel { "kernel" } else { "smoothed white" };
            writeln!(page, "| {d} | {rank} | {name} | {} |", cells.join(" | "))?;
        }
    }
    Ok(page + "\n")
}

/// The values of the smoothed mean of the bounded curves at the points asked.
fn without_noise(
    curves: &CurveSet,
    smoother: &PenalizedMean,
    asked: &[LinearFunctional],
) -> Result<Vec<f64>, Box<dyn Error>> {
    let spectrum = Spectrum::new(smoother.kernel().clone(), curves.grid().to_unit()?, DEFAULT_TOLERANCE)?;
    let ball = Ball::new(Center::Constant(0.5), 0.25)?;
    let deviation = ball.bound(curves)?.mean().into_revealed() - 0.5;
    let coefficients = spectrum.coefficients(deviation.view()) * smoother.shrinkages(spectrum.eigenvalues());
    let at = |functional: &LinearFunctional| match functional {
        LinearFunctional::Evaluation { t } => {
            0.5 + spectrum.eigenfunctions_at(curves.grid().to_unit_point(*t)).dot(&coefficients)
        }
        _ => f64::NAN,
    };
    Ok(asked.iter().map(at).collect())
}

fn functions() -> Result<String, Box<dyn Error>> {
    let budgets = [(1.0, 1e-5), (1.0, 0.1), (0.1, 1e-6)];
    let mut page = String::from(
        "## Noise for a whole function\n\nVariance of elliptical noise `V Z` relative to Gaussian noise within the same budget \
         (`relative_variance`). One path gives `V` away, so that a small `V` is paid for: nothing here beats a constant `V` \
         (`docs/proofs/elliptical-process.md`, section 5).\n\n| law of V | (1, 1e-5) | (1, 0.1) | (0.1, 1e-6) |\n|---|---|---|---|\n",
    );
    let laws = [
        ("constant", MixingLaw::constant(1.0)?),
        ("t process, 3 degrees of freedom", MixingLaw::student_t(3.0)?),
        ("t process, 10", MixingLaw::student_t(10.0)?),
        ("t process, 30", MixingLaw::student_t(30.0)?),
        ("Laplace process (root of an exponential variable)", MixingLaw::gamma_root(1.0)?),
        ("root of a gamma variable of shape 5", MixingLaw::gamma_root(5.0)?),
        ("log-normal, 0.1", MixingLaw::log_normal(0.1)?),
        ("log-normal, 0.3", MixingLaw::log_normal(0.3)?),
        ("1 with probability 0.9, otherwise 3", MixingLaw::finite(&[(1.0, 0.9), (3.0, 0.1)])?),
    ];
    for (name, law) in laws {
        let mut cells = Vec::new();
        for (epsilon, delta) in budgets {
            cells.push(format!("{:.3}", relative_variance(&law, &PrivacyBudget::new(epsilon, delta)?)?));
        }
        writeln!(page, "| {name} | {} |", cells.join(" | "))?;
    }
    Ok(page + "\n")
}

/// Something that draws one integer.
type Draw = Box<dyn FnMut(&mut SeededRandomness) -> i128>;

/// Exact draws, against the exactly rounded normal in the same run.
fn speed() -> Result<String, Box<dyn Error>> {
    const DRAWS: u32 = 300_000;
    const SCALE: u64 = 1 << 24;
    let mut randomness = SeededRandomness::from_seed(4);
    let mut time = |draw: &mut dyn FnMut(&mut SeededRandomness) -> i128| {
        let start = Instant::now();
        let mut sum = 0_i128;
        for _ in 0..DRAWS {
            sum = sum.wrapping_add(draw(&mut randomness));
        }
        std::hint::black_box(sum);
        start.elapsed().as_secs_f64()
    };
    let discrete = DiscreteLaplace::new(SCALE, 1)?;
    let mut noises: Vec<(String, Draw)> =
        vec![("discrete Laplace".to_owned(), Box::new(move |randomness| discrete.sample(randomness)))];
    let k_norm = RoundedKNorm::new(KNorm::new(1)?, SCALE)?;
    noises.push(("K-norm in one dimension".to_owned(), Box::new(move |randomness| k_norm.sample(randomness)[0])));
    let normal = RoundedNormal::new(SCALE)?;
    let mut page =
        String::from("Exact draws, time relative to that of the exactly rounded normal (medians of 7 rounds in turn):");
    for (name, draw) in &mut noises {
        let mut ratios: Vec<f64> = (0..7).map(|_| time(draw.as_mut()) / time(&mut |r| normal.sample(r))).collect();
        ratios.sort_by(f64::total_cmp);
        write!(page, " {name} {:.2},", ratios[3])?;
    }
    let budget = PrivacyBudget::new(1.0, 1e-5)?;
    let start = Instant::now();
    LogConcavePrivacy::calibrated("subbotin:1.5".parse::<NoiseFamily>()?, &budget)?;
    let one = start.elapsed();
    let start = Instant::now();
    best_family(&budget)?;
    let ratio = start.elapsed().as_secs_f64() / one.as_secs_f64();
    page.pop();
    writeln!(page, ". `best_family` takes {ratio:.0} times one calibration of Subbotin noise.\n")?;
    Ok(page)
}
