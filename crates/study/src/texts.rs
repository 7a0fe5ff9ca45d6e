//! What the numbers are that nobody can choose for a curator.

/// What a public bound is; nothing here ever computes one.
pub const PUBLIC_BOUND: &str = "\
A release needs a public bound on the curves: a centre, and the largest root-mean-square distance from it, both in
the units of the data. Curves farther away are pulled in to that distance, so that nobody can move the mean by much.
Choose both from what is known about the quantity before looking at these data. Fractional anisotropy, for example,
lies in [0, 1]: {bounds=0,1} says that, as does {center=0.5} with {radius=0.5}, which holds every such curve. {radius=0.25}
needs half the noise and holds every curve that keeps that close to 0.5 on average. A centre may also be a curve that
is public already, such as one from an earlier study: {center} FILE.csv with the columns t,value.
A bound read off the private data would tell about the people in them; there is no option for it.";

/// What the bounds of centile curves are; nothing here ever computes any.
pub const PUBLIC_RANGE: &str = "\
Centile curves need public bounds: the least and the largest value that a curve can have, in the units of the data. The
levels that people are counted at divide the range between them, and values outside are clamped. Choose them from what is
known about the quantity before looking at these data: fractional anisotropy lies in {bounds=0,1}. A {center} beside
them, such as a typical curve that is public already, makes the noise smaller.
A bound read off the private data would tell about the people in them; there is no option for it.";

/// What public bounds are; nothing here ever computes any.
pub const PUBLIC_BOX: &str = "\
A density is released on a public box: the least and the largest value that a point may have in each column, in the
units of the data. The cells divide this box, and points outside are clamped to it, so that nothing depends on how
extreme anybody is. Choose it from what is known about the quantity before looking at these data: an age in years
lies in {bounds=0,120}, a proportion in {bounds=0,1}; for two columns give both pairs: {bounds=0,120,0,1}. A box too
wide wastes cells, one too narrow piles points up at its edge.
The least and the largest value of the private data are two people's own values; there is no option for them.";

/// What the parameter means.
pub const EPSILON: &str = "\
The noise follows from the privacy parameter epsilon. By it, what anybody concludes from the result would be about as
likely without any one person's data: probabilities change by a factor of at most e^epsilon, and, with a {delta}
above its default of 0, except for a mass of delta. Choose it before looking at the results; smaller is more private
and noisier. epsilon from 0.1 to 3 is common. For example: {epsilon} 1.";

/// What the two parameters mean.
pub const BUDGET: &str = "\
The noise follows from a privacy budget. By it, what anybody concludes from the result would be about as likely
without any one person's data: probabilities change by a factor of at most e^epsilon, except for a mass of delta.
Choose epsilon and delta before looking at the results; smaller is more private and noisier. epsilon from 0.1 to 3
is common; delta should be well below 1 / (number of subjects). For example: {epsilon} 1 {delta} 1e-5.";

/// The settings that were not given, in a sentence: `{center} was`, `{epsilon} and {delta} were`.
pub fn not_given(missing: &[&str]) -> String {
    let named: Vec<String> = missing.iter().map(|name| format!("{{{name}}}")).collect();
    match named.as_slice() {
        [] => String::new(),
        [_] => format!("{} was not given", in_a_row(&named)),
        _ => format!("{} were not given", in_a_row(&named)),
    }
}

/// Words in a row: `a`, `a and b`, `a, b and c`.
pub fn in_a_row(words: &[String]) -> String {
    match words {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => words.concat(),
    }
}
