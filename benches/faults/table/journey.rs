//! What a curator is asked before a table counts: codes, unusual guarantees, the order of names; and pages that escape.

use super::Fault;

pub const FAULTS: &[Fault] = &[
    Fault {
        id: "code-counts-as-value",
        says: "-999 counts as a value though nobody said so",
        file: "crates/tables/src/cell.rs",
        old: "value <= CODES[0] && self.codes.is_empty() && CODES.contains(&value)",
        new: "value > 0.0 && self.codes.is_empty() && CODES.contains(&value)",
        tests: &["named_codes_are_missing_as_text_and_as_numbers_and_unnamed_ones_are_suspected"],
    },
    Fault {
        id: "named-code-counts-as-value",
        says: "a code that was named counts as a value where the table holds numbers",
        file: "crates/tables/src/cell.rs",
        old: "if self.numbers.contains(&value) { f64::NAN } else { value }",
        new: "if self.numbers.contains(&f64::NAN) { f64::NAN } else { value }",
        tests: &["named_codes_are_missing_as_text_and_as_numbers_and_unnamed_ones_are_suspected"],
    },
    Fault {
        id: "code-of-a-covariate",
        says: "a covariate or a label of -999 counts though nobody said so",
        file: "crates/tables/src/cell.rs",
        old: "if self.suspects(number) {",
        new: "if self.suspects(number) && number > 0.0 {",
        tests: &["a_code_is_missing_where_it_is_named_and_refused_where_none_is"],
    },
    Fault {
        id: "code-of-a-point",
        says: "a point, or a number in memory, at -999 is clamped to the bounds though nobody said that it is one",
        file: "crates/tables/src/cell.rs",
        old: "if self.suspects(value) { Err(Unfit::Code) } else { Ok(value) }",
        new: "if self.suspects(value) && value > 0.0 { Err(Unfit::Code) } else { Ok(value) }",
        tests: &["one_rule_says_which_numbers_are_values"],
    },
    Fault {
        id: "names-out-of-order",
        says: "columns whose names are numbers, dates or months stay in an order that is not theirs",
        file: "crates/tables/src/columns.rs",
        old: "self.refuse_disorder(layout)?;",
        new: "let _ = self.refuse_disorder(layout);",
        tests: &["columns_whose_names_are_positions_must_be_in_their_order_on_a_grid_that_fits"],
    },
    Fault {
        id: "epsilon-of-0-unasked",
        says: "an epsilon of 0 needs no reason",
        file: "crates/cli/src/reason.rs",
        old: "(epsilon > 0.0 && value <= LARGEST_DELTA)",
        new: "(epsilon >= 0.0 && value <= LARGEST_DELTA)",
        tests: &["an_unusual_guarantee_needs_a_reason_wherever_a_budget_is_spent"],
    },
    Fault {
        id: "large-delta-unasked",
        says: "a delta that protects hardly anybody needs no reason",
        file: "crates/cli/src/reason.rs",
        old: "const LARGEST_DELTA: f64 = 0.1;",
        new: "const LARGEST_DELTA: f64 = 0.5;",
        tests: &["an_unusual_guarantee_needs_a_reason_wherever_a_budget_is_spent"],
    },
    Fault {
        id: "density-unasked",
        says: "a density needs no reason for an unusual guarantee",
        file: "crates/cli/src/density.rs",
        old: "reason::check(&plan.budget, &arguments.reason)?;",
        new: "let _ = reason::check(&plan.budget, &arguments.reason);",
        tests: &["an_unusual_guarantee_needs_a_reason_wherever_a_budget_is_spent"],
    },
    Fault {
        id: "merge-unasked",
        says: "parts of an unusual plan are merged without a reason",
        file: "crates/cli/src/parts.rs",
        old: "let prepared = joined.prepare().map_err(|again| CliError::from(again.reason))?;
    reason::check(&prepared.asked().guarantee.budget(), &arguments.reason)?;",
        new: "let prepared = joined.prepare().map_err(|again| CliError::from(again.reason))?;
    let _ = reason::check(&prepared.asked().guarantee.budget(), &arguments.reason);",
        tests: &["parts_of_an_unusual_plan_need_a_reason_when_they_are_merged"],
    },
    Fault {
        id: "report-unescaped",
        says: "a name becomes markup of a report",
        file: "crates/cli/src/report/html.rs",
        old: "'<' => self.0 += \"&lt;\",",
        new: "'<' => self.0.push('<'),",
        tests: &["no_name_becomes_markup"],
    },
];
