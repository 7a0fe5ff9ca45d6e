//! The page that compares what was published with what is found.

use std::fmt::Write;
use std::path::Path;

use dpfda::kernels::Quadrature;
use dpfda::smoothing::CurveSet;
use dpfda_cli::shared::{CURATOR_ONLY, exact, rounded, shown};
use dpfda_reproduction::{PublishedPrivacy, ReproductionError, TABLE_1, TABLE_2, TableEntry};

use super::figures::{Drawn, REPEATS};
use super::tables::{self, Dealing, PACKAGE_WEIGHTS, Search, is_published, shown_range};
use crate::arguments::Arguments;

/// Seeds of which it is counted how many give each published entry of Table 2.
const SEEDS: u64 = 20;

/// The page, in Markdown.
pub fn page(
    curves: &CurveSet,
    arguments: &Arguments,
    table_1: &Search,
    drawn: &[Drawn],
) -> Result<String, ReproductionError> {
    let mut page = head(curves, arguments);
    page += &first_table(curves, arguments, table_1)?;
    page += &second_table(curves, arguments)?;
    page += &correct_tables(curves)?;
    page += &worth(curves)?;
    page += &distances(drawn, arguments.seed);
    Ok(page)
}

fn head(curves: &CurveSet, arguments: &Arguments) -> String {
    let file = shown(Path::new(arguments.data().file_name().unwrap_or_default()));
    format!(
        "# The published experiments, run again

Written by `dpfda-reproduce all --data {file}`; not edited by hand.

**{CURATOR_ONLY} unless the data are public already.** This page holds statistics of the curves, computed without any \
protection. It repeats the experiments of Mirshani, Reimherr and Slavkovic, *Formal privacy for functional data with \
Gaussian perturbations*, faults included. The faults are argued in [errata.md](errata.md).

The data: `{file}`, {} curves at {} points, of which {} without a missing value are used, as in the paper; each curve is a \
record, whoever it belongs to. Ranges `rho` are on the domain mapped to [0, 1]. \
*The package* is PFDA (2016), the R package of the authors; *its convention* is how it estimates, perturbs and scores. \
*Edge*: the best range or penalty is the first or last one tried, so a wider search might find another.

",
        curves.len(),
        curves.grid().len(),
        curves.complete().len(),
    )
}

fn first_table(curves: &CurveSet, arguments: &Arguments, search: &Search) -> Result<String, ReproductionError> {
    let shuffled = |seed| tables::table_1(curves, Dealing::Shuffled, seed, None);
    let counts = tables::seeds_that_give("Table 1, seeds", &TABLE_1, SEEDS, shuffled)?;
    let in_order = tables::table_1(curves, Dealing::InOrder, arguments.seed, None)?;
    let mut text = format!(
        "\
## Table 1: cross-validation

The range that ordinary cross-validation chooses for each kernel and penalty, in the package's convention: no noise, the \
mean distance between the smoothed mean and the left-out curves, ten folds dealt at random (seed {}). Then: how many of the \
seeds 0 to {} deal folds that give the published entry, and what folds in the order of the file give, in which the scans of \
a person stand together.

| kernel | phi | rho, published | rho, found | | seeds of {SEEDS} | folds in order |
|---|---|---|---|---|---|---|
",
        arguments.seed,
        SEEDS - 1
    );
    let found = search.entries.iter().zip(&TABLE_1).zip(counts).zip(&in_order.entries);
    for (((found, published), count), other) in found {
        let (kernel, penalty) = (published.kernel.to_string(), exact(published.penalty));
        let [was, is, other_range] = [published, found, other].map(|entry| exact(shown_range(entry.range)));
        let other = in_order.edges(other).map_or(other_range.clone(), |edges| format!("{other_range} ({edges})"));
        row(&mut text, &[kernel, penalty, was, is, mark(search, found, published), count.to_string(), other]);
    }
    Ok(text)
}

fn second_table(curves: &CurveSet, arguments: &Arguments) -> Result<String, ReproductionError> {
    let search = tables::table_2(curves, Dealing::InOrder, arguments.seed, None)?;
    let counts = |name, dealing| {
        tables::seeds_that_give(name, &TABLE_2, SEEDS, |seed| tables::table_2(curves, dealing, seed, None))
    };
    let in_order = counts("Table 2, seeds", Dealing::InOrder)?;
    let shuffled = counts("Table 2, seeds of folds", Dealing::Shuffled)?;
    let mut text = format!(
        "
## Table 2: \"private cross-validation\"

The penalty and range that give the least expected distance between the package's sanitised estimate and the mean of the \
left-out fold, by 1000 draws of the noise for each fold; ten folds in the order of the file, draws from seed {}. The last \
two columns count the seeds from 0 to {} that give the published entry: with these folds, and with folds dealt at random by \
the same seed. On the paper's data the ranges 0.467 and 0.556 of the exponential kernel are nearly tied: in file \
order they differ by less than the error of 1000 draws, at random 0.556 wins. The paper does not say how its folds were dealt.

| kernel | phi, rho, published | phi, rho, found | | seeds of {SEEDS} | folds at random |
|---|---|---|---|---|---|
",
        arguments.seed,
        SEEDS - 1
    );
    for (((found, published), in_order), shuffled) in search.entries.iter().zip(&TABLE_2).zip(in_order).zip(shuffled) {
        let cells = [published.kernel.to_string(), pair(published), pair(found), mark(&search, found, published)];
        row(&mut text, &cells.into_iter().chain([in_order, shuffled].map(|n| n.to_string())).collect::<Vec<_>>());
    }
    Ok(text)
}

fn correct_tables(curves: &CurveSet) -> Result<String, ReproductionError> {
    let equal = tables::table_2_correct(curves, PACKAGE_WEIGHTS, None)?;
    let trapezoid = tables::table_2_correct(curves, Quadrature::Trapezoid, None)?;
    let mut text = "
### The same search with correctly scaled noise

Noise with the kernel as its covariance, and the maximum in place of the sum for the sensitivity; the classical scale and \
the radius read off the data are kept, so that what differs is the noise alone. In closed form, without draws: the expected \
squared distance to the mean of the fold.

| kernel | phi, rho, published | weights 1/n | | trapezoid weights | |
|---|---|---|---|---|---|
"
    .to_owned();
    for (index, published) in TABLE_2.iter().enumerate() {
        let mut cells = vec![published.kernel.to_string(), pair(published)];
        for search in [&equal, &trapezoid] {
            let found = &search.entries[index];
            cells.extend([pair(found), mark(search, found, published)]);
        }
        row(&mut text, &cells);
    }
    Ok(text)
}

fn worth(curves: &CurveSet) -> Result<String, ReproductionError> {
    let mut text = format!(
        "
## What privacy the published settings really had

All were stated to be (1, 0.1)-private. That takes `mu <= {}`, where `mu` is the sensitivity over the noise: the noise of \
the package is too small by `sqrt(n)` and its sensitivity too large, and the two do not cancel. `mu` is for curves bounded \
in the norm with weights `1/n`, in which the package's formula is; *trapezoid* for the norm in which it reads the radius \
off. These numbers take the radius for a public bound. It was not: no (epsilon, delta) covers a radius read off the data, \
nor parameters chosen by looking at them.

| table | kernel | phi, rho | mu | mu, trapezoid | delta at epsilon = 1 | epsilon at delta = 0.1 |
|---|---|---|---|---|---|---|
",
        rounded(PublishedPrivacy::allowed_mu()?)
    );
    for (table, entries) in [("1", &TABLE_1[..]), ("2", &TABLE_2[..])] {
        for entry in entries {
            let privacy = PublishedPrivacy::of(entry, curves.unit_grid())?;
            let numbers = [privacy.mu, privacy.mu_trapezoid, privacy.delta, privacy.epsilon];
            let cells = [table.to_owned(), entry.kernel.to_string(), pair(entry)].into_iter();
            let cells: Vec<String> = cells.chain(numbers.map(|number| format!("{number:.3}"))).collect();
            row(&mut text, &cells);
        }
    }
    Ok(text)
}

fn distances(drawn: &[Drawn], seed: u64) -> String {
    let mut text = format!(
        "
## Figures 1 to 12

The figures themselves are `figure-01.svg` to `figure-12.svg` of the same run: one row in the package's convention (with the \
published parameters where the curves are the data), one with the defaults of this project at the same (epsilon, delta). \
Here: the root-mean-square distance between a release and the raw mean of the curves on its panel, over the domain and \
{REPEATS} releases (seeds {seed} to {}; new curves for each where they are simulated). *Package* has no valid guarantee, so a \
small distance in that column is not an achievement. *Ours* has, once its noise comes from a secret generator instead of a \
seed, the stated (epsilon, delta) in a public ball: one that holds all curves there can be for the simulations, centre 0.5 \
and radius 0.5 for the data. It depends on no kernel, penalty or range, so it is the same release wherever panels differ in \
those alone. *Centre alone* is the public centre, 0 for the simulations and 0.5 for the data, which takes no data at all: a \
release with a larger distance than that is worse than none.

What the paper does not state, this project chose: the mean functions of Figure 10, the penalty 0.01 wherever another \
parameter varies, and the values between the ends of the stated intervals. The caption of Figure 7 says delta = 1, with \
which no noise would be needed; 0.1 is used.

| figure | panel | package | ours | centre alone |
|---|---|---|---|---|
",
        seed.wrapping_add(REPEATS - 1)
    );
    for figure in drawn {
        let curves = if figure.simulated { "simulated" } else { "data" };
        for (index, panel) in figure.panels.iter().enumerate() {
            let name =
                if index == 0 { format!("{} ({curves}): {}", figure.number, figure.title) } else { String::new() };
            let [published, ours, center] = [panel.published, panel.ours, panel.center].map(rounded);
            row(&mut text, &[name, panel.label.clone(), published, ours, center]);
        }
    }
    text
}

fn pair(entry: &TableEntry) -> String {
    format!("{}, {}", exact(entry.penalty), exact(shown_range(entry.range)))
}

fn mark(search: &Search, found: &TableEntry, published: &TableEntry) -> String {
    let agrees = if is_published(found, published) { "as published" } else { "differs" };
    search.edges(found).map_or_else(|| agrees.to_owned(), |edges| format!("{agrees}, {edges}"))
}

fn row(text: &mut String, cells: &[String]) {
    // writing to a string cannot fail
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}
