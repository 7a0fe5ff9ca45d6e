use super::*;

fn facts(epsilon: &str, records: &str) -> [Fact; 3] {
    [
        Fact::new("privacy", "").captioned(format!("(epsilon, delta) = ({epsilon}, 0.5)")).captioned("neighbours: x"),
        Fact::new("unit", "").captioned(format!("N = {records}")),
        Fact::new("band", "").captioned("95% band"),
    ]
}

#[test]
fn a_comparison_says_whose_budget_is_whose_and_what_both_share_once() {
    let labels = Labels::default();
    let about = |facts| About { facts, labels: &labels, is_private: true, limits: None };
    let (one, other) = (facts("1", "30"), facts("2", "30"));
    assert_eq!(
        captions_of_sides(&[("A", about(&one)), ("B", about(&other))]),
        ["each release: neighbours: x, N = 30", "A: (ε, δ) = (1, 0.5)", "B: (ε, δ) = (2, 0.5)"]
    );
    assert_eq!(
        captions_of_sides(&[("A", about(&one)), ("B", about(&one))]),
        ["each release: (ε, δ) = (1, 0.5), neighbours: x, N = 30"]
    );
    // of groups, one release was paid for
    let of_groups = [&one[..], &[Fact::new("groups", "a, b")]].concat();
    let about = About { facts: &of_groups, ..about(&one) };
    assert_eq!(
        captions_of_sides(&[("a", about), ("b", about)]),
        ["the release of both: (ε, δ) = (1, 0.5), neighbours: x, N = 30"]
    );
}

#[test]
fn a_difference_is_possible_as_far_as_the_limits_of_both_sides_are_apart() {
    let labels = Labels::default();
    let about = |limits| ("", About { facts: &[], labels: &labels, is_private: true, limits });
    assert_eq!(limits_of_difference(&[about(Some((0.0, 1.0))), about(Some((0.25, 3.0)))]), Some((-3.0, 0.75)));
    assert_eq!(limits_of_difference(&[about(Some((0.0, 1.0))), about(None)]), None);
}
