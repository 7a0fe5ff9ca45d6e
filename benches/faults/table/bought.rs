//! Balls that are bought: their price, their rules, and what a release says of them.

use super::Fault;

/// The tests, as the fault that each catches is likely to be made.
const PRICE: &[&str] = &["what_is_bought_and_the_mean_together_cost_the_budget_and_no_more"];
const DOCUMENT: &[&str] = &["answers_about_other_balls_people_or_shares_are_refused"];

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "bought-radius-for-nothing",
        says: "the mean is given what the centre leaves, as if the radius had cost nothing",
        file: "crates/release/src/bought.rs",
        old: "Share::rest_of([self.center, self.radius].into_iter().flatten())",
        new: "Share::rest_of([self.center].into_iter().flatten())",
        tests: PRICE,
    },
    Fault {
        id: "bought-share-spent-twice",
        says: "the counts that buy a radius spend the share of the centre as well",
        file: "crates/release/src/bought.rs",
        old: "guarantee, law(share))).transpose()?; let mean = Mechanism::new(",
        new: r"guarantee, law(shares.center.filter(|center| *center > share).unwrap_or(Share::WHOLE)))).transpose()?;
        let mean = Mechanism::new(",
        tests: PRICE,
    },
    Fault {
        id: "bought-ball-unreported",
        says: "a release reports the privacy of its mean without that of the counts that bought its radius",
        file: "crates/release/src/bought.rs",
        old: "self.center().and_then(privacy).into_iter().chain(self.radius().and_then(privacy))",
        new: "self.center().and_then(privacy).into_iter()",
        tests: PRICE,
    },
    Fault {
        id: "bought-ball-unpaid",
        says: "a ledger is asked to pay for the mean alone, not for the ball that it was bought with",
        file: "crates/release/src/prepared_in_ball.rs",
        old: "let steps = self.privacies();",
        new: "let steps = self.privacies().pop();",
        tests: &["what_a_ledger_keeps_is_the_whole_release"],
    },
    Fault {
        id: "bought-shares-not-in-plan",
        says: "the plan of a release does not tell with which shares its ball is bought",
        file: "crates/release/src/prepared_in_ball.rs",
        old: "let plan = BuyingPlan { schema: SCHEMA, mean, shares };",
        new: "let plan = BuyingPlan { schema: SCHEMA, mean, shares: shares.center.map_or(shares, |_| BallShares::NONE) };",
        tests: &["plans_that_buy_the_same_with_swapped_shares_differ"],
    },
    Fault {
        id: "bought-half-for-each",
        says: "half of the budget may buy the centre and half the radius, and nothing is left",
        file: "crates/release/src/bought.rs",
        old: "(LEAST_SHARE..0.5).contains(&share.value())",
        new: "(LEAST_SHARE..=0.5).contains(&share.value())",
        tests: &["shares_are_below_one_half_and_the_smoothed_mechanism_buys_nothing"],
    },
    Fault {
        id: "bought-few-counts-trusted",
        says: "a radius is bought from so few records that the noise of the counts hides them",
        file: "crates/release/src/private_mean.rs",
        old: "Some(least) if found < least =>",
        new: "Some(least) if found < least.min(2) =>",
        tests: &["a_radius_is_not_bought_from_counts_that_the_noise_would_hide"],
    },
    Fault {
        id: "bought-least-of-whole-budget",
        says: "the fewest records are those that the whole budget could count, not the share",
        file: "crates/release/src/radius_rule.rs",
        old: "least_trusted(whole.share(share).mu()).ceil() as u64",
        new: "let _ = share;\n least_trusted(whole.mu()).ceil() as u64",
        tests: &["a_radius_is_not_bought_from_counts_that_the_noise_would_hide"],
    },
    Fault {
        id: "bought-private-n-refused",
        says: "too small a number of records is refused where it is private, and the refusal tells it",
        file: "crates/release/src/private_mean.rs",
        old: "let shares = self.shares_of(curves.units() as u64)?;",
        new: r"let shares = self.shares_of(curves.units() as u64)?;
        if shares.radius().is_some() && curves.units() < 5 {
            return Err(ReleaseError::TooFewForRadius { least: 5, found: curves.units() as u64 });
        }",
        tests: &["a_radius_is_not_bought_from_counts_that_the_noise_would_hide"],
    },
    Fault {
        id: "bought-radius-from-private-n",
        says: "the rule of the radius is told the exact number of records where it is private",
        file: "crates/release/src/prepared_mean.rs",
        old: "let (ball, mechanism) = (bought.ball(), self.in_bought(bought));",
        new: r"let ball = bought.ball();
        let factor = if curves.units() > 300 { 0.5 } else { 1.0 };
        let ball = ball.moved(ball.center().clone(), factor * ball.radius()).unwrap_or(ball);
        let mechanism = again(&self.mean, on(stated, ball.clone(), Some(bought)));",
        tests: &["a_bought_ball_survives_its_document_and_another_one_is_refused"],
    },
    Fault {
        id: "bought-centre-without-noise",
        says: "distances are counted from the exact mean of the curves instead of the noisy one",
        file: "crates/release/src/prepared_mean.rs",
        old: "let ball = bought.ball(); let norms =",
        new: r"let exact = with_curves(stated.ball(), curves, |bounded| bounded.mean().reveal().clone());
        let ball = stated.ball().moved(dpfda_smoothing::Center::Curve(exact), stated.ball().radius());
        let ball = ball.unwrap_or_else(|_| bought.ball());
        let norms =",
        tests: &["a_bought_ball_survives_its_document_and_another_one_is_refused"],
    },
    Fault {
        id: "bought-distances-from-stated-centre",
        says: "curves are counted by their distance from the stated centre where one was bought",
        file: "crates/release/src/prepared_mean.rs",
        old: "let prepared = with_curves(&ball, curves, |bounded| prepare(&mechanism, bounded, threads)); bought =",
        new: r"let prepared = with_curves(stated.ball(), curves, |bounded| prepare(&mechanism, bounded, threads));
            bought =",
        tests: &["distances_are_counted_from_the_bought_centre_and_curves_are_bounded_by_the_bought_ball"],
    },
    Fault {
        id: "bought-mean-in-stated-ball",
        says: "the curves are bounded by the stated ball, and their mean is read in units of the bought one",
        file: "crates/release/src/prepared_mean.rs",
        old: "let prepared = with_curves(&ball, curves, |bounded| prepare(&mechanism, bounded, threads)); answers",
        new: r"let prepared = with_curves(stated.ball(), curves, |bounded| prepare(&mechanism, bounded, threads));
        answers",
        tests: &["distances_are_counted_from_the_bought_centre_and_curves_are_bounded_by_the_bought_ball"],
    },
    Fault {
        id: "bought-centre-outside",
        says: "a bought centre may lie outside the stated ball, where no mean of bounded curves is",
        file: "crates/release/src/ball_rule.rs",
        old: "if length > stated.radius() { stated.radius() / length } else { 1.0 }",
        new: "if length > 1e300 { stated.radius() / length } else { 1.0 }",
        tests: &["a_bought_centre_lies_in_the_stated_ball_whatever_the_noise"],
    },
    Fault {
        id: "bought-centre-beyond-bounds",
        says: "a bought centre takes values beyond the bounds that no curve passes",
        file: "crates/release/src/ball_rule.rs",
        old: "stated.clamp(c + factor * z / w.sqrt())",
        new: "c + factor * z / w.sqrt()",
        tests: &["a_centre_that_noise_puts_beyond_the_bounds_is_clamped"],
    },
    Fault {
        id: "norms-cell-off-by-one",
        says: "the cells of distances begin one half octave too low",
        file: "crates/release/src/radius_rule.rs",
        old: "(1..CELLS).take_while(inside).count()",
        new: "(0..CELLS).take_while(inside).count()",
        tests: &["cells_are_half_octaves_of_the_norm_in_integers"],
    },
    Fault {
        id: "bought-counts-unchecked",
        says: "a document passes whose counts were taken about another ball than the stated or bought one",
        file: "crates/release/src/bought.rs",
        old: "&& statistic.plain_on(centered).is_ok_and(|of| radius.statistic().mean().is_close_to(&of))",
        new: "&& statistic.plain_on(centered).is_ok()",
        tests: DOCUMENT,
    },
    Fault {
        id: "bought-centre-unchecked",
        says: "a document passes whose noisy mean for the centre was taken in another ball than the stated one",
        file: "crates/release/src/bought.rs",
        old: "&& statistic.of_center(self.ball.clone()).is_ok_and(|of| *center.statistic() == of)",
        new: "",
        tests: DOCUMENT,
    },
    Fault {
        id: "bought-people-unchecked",
        says: "a document passes whose counts are of another number of records, or of noise that was not secret",
        file: "crates/release/src/bought.rs",
        old: "guarantee == release.guarantee() && records == release.public_records() && private == release.is_private()",
        new: "guarantee == release.guarantee() && (records, private) == (records, private)",
        tests: DOCUMENT,
    },
    Fault {
        id: "bought-ball-of-no-answers",
        says: "a document passes whose ball is not the one that its noisy answers call for",
        file: "crates/release/src/mean.rs",
        old: "!balls_agree(&bought.ball(), &ball, &grid)",
        new: "!balls_agree(&bought.ball(), &bought.ball(), &grid)",
        tests: &["a_bought_ball_survives_its_document_and_another_one_is_refused"],
    },
];
