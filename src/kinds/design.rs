//! What a regression is on, for whoever shows its coefficients.

use dpfda_analysis::{Banded, Estimated, PopulationMean};
use dpfda_mechanism::exact;
use dpfda_release::{Covariate, Regression};

/// What the panels of a regression show.
pub(super) struct Design {
    /// Who is in the middle of the ranges of the covariates, `mean at age = 60, arm = usual`, and their mean. The intercept is a mean of
    /// people whose numbers are 0, whom there may be none of.
    pub(super) middle: Option<(String, Banded<PopulationMean>)>,
    /// What each coefficient after the intercept is called, and what it is for one unit of, where it is of a number.
    pub(super) of: Vec<(String, Option<String>)>,
}

impl Design {
    /// The design of a release, whose mean is estimated here.
    pub(super) fn of(estimated: &Estimated<Regression>) -> Self {
        let covariates = estimated.statistic().covariates();
        let cells: Vec<String> = covariates.iter().map(in_the_middle).collect();
        let who =
            covariates.iter().zip(&cells).map(|(covariate, cell)| format!("{}\u{a0}=\u{a0}{cell}", covariate.name()));
        let who = who.collect::<Vec<_>>().join(", ");
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        let middle = estimated.predict(&cells).ok().map(|mean| (format!("mean at {who}"), mean));
        Self { middle, of: covariates.iter().flat_map(coefficients_of).collect() }
    }
}

/// A cell in the middle of a covariate's range, or its reference level.
fn in_the_middle(covariate: &Covariate) -> String {
    match covariate {
        Covariate::Number { lower, upper, .. } => exact(f64::midpoint(*lower, *upper)),
        Covariate::Category { levels, .. } => levels.first().cloned().unwrap_or_default(),
    }
}

/// What the coefficients of a covariate are called, and what each is for one unit of.
fn coefficients_of(covariate: &Covariate) -> Vec<(String, Option<String>)> {
    match covariate {
        Covariate::Number { name, .. } => vec![(name.clone(), Some(unit_of(name)))],
        Covariate::Category { name, levels } => {
            let reference = levels.first().map_or("", String::as_str);
            levels.iter().skip(1).map(|level| (format!("{name}: {level} against {reference}"), None)).collect()
        }
    }
}

/// One unit of a number, as its name says it: what stands in brackets at its end, a last word that is the plural of a unit, or the name itself
/// where that is a unit, as in `age (years)`, `age_years` and `year`.
fn unit_of(name: &str) -> String {
    const UNITS: [&str; 8] = ["year", "month", "week", "day", "hour", "minute", "second", "visit"];
    let known = |word: &str| UNITS.into_iter().find(|unit| word.eq_ignore_ascii_case(unit));
    let plural = |word: &str| word.strip_suffix(['s', 'S']).and_then(known);
    let one = |word: &str| known(word).or_else(|| plural(word)).map(str::to_owned);
    let in_brackets = name.strip_suffix(')').and_then(|name| name.rsplit_once('(')).map(|(_, unit)| unit.trim());
    if let Some(unit) = in_brackets.filter(|unit| !unit.is_empty()) {
        return one(unit).unwrap_or_else(|| unit.to_owned());
    }
    let last = name.rsplit(['_', ' ', '.', '-']).next().and_then(plural).map(str::to_owned);
    one(name).or(last).unwrap_or_else(|| format!("unit of {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coefficient_is_for_a_unit_of_its_number_or_against_the_reference_of_its_category() {
        let number = |name: &str| Covariate::Number { name: name.to_owned(), lower: 40.0, upper: 80.0 };
        assert_eq!(coefficients_of(&number("Years")), [("Years".to_owned(), Some("year".to_owned()))]);
        assert_eq!(coefficients_of(&number("age")), [("age".to_owned(), Some("unit of age".to_owned()))]);
        for (name, unit) in [
            ("age (years)", "year"),
            ("age_months", "month"),
            ("age_at_visit", "unit of age_at_visit"),
            ("weight (kg)", "kg"),
            ("dose ()", "unit of dose ()"),
            ("holidays", "unit of holidays"),
        ] {
            assert_eq!(unit_of(name), unit, "{name}");
        }
        assert_eq!(in_the_middle(&number("age")), "60");
        let levels = ["usual", "new"].map(str::to_owned).to_vec();
        let category = Covariate::Category { name: "arm".to_owned(), levels };
        assert_eq!(coefficients_of(&category), [("arm: new against usual".to_owned(), None)]);
        assert_eq!(in_the_middle(&category), "usual");
    }
}
