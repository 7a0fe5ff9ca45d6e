//! A surface of scores as a table and in words.

use dpfda::crossval::{Edge, ScoreSurface};
use dpfda_study::Selection;

use crate::output::{TableError, text_of};
use crate::summary::exact;

/// One row for each candidate; `score` names the last column.
pub fn table(surface: &ScoreSurface, score: &str) -> Result<String, TableError> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(["kernel", "range", "penalty", "eta", score]).map_err(|_| TableError)?;
    let candidates = surface.candidates();
    for (index, family) in candidates.families().iter().enumerate() {
        let kernel = family.name().to_string();
        for ((range, penalty, power), score) in surface.scores(index).ok_or(TableError)?.indexed_iter() {
            let parameters = [family.ranges()[range], candidates.penalties()[penalty], candidates.powers()[power]];
            let row = parameters.into_iter().chain([*score]).map(exact);
            csv.write_record([kernel.clone()].into_iter().chain(row)).map_err(|_| TableError)?;
        }
    }
    text_of(csv)
}

/// Where the optimum lies on an edge of what was tried, if it does.
pub fn edges_in_words(surface: &ScoreSurface) -> Option<String> {
    let edges: Vec<&str> = surface.edges(surface.optimum()).into_iter().map(edge_in_words).collect();
    if edges.is_empty() { None } else { Some(edges.join(" and ")) }
}

/// The name of an edge.
fn edge_in_words(edge: Edge) -> &'static str {
    match edge {
        Edge::LeastRange => "the least range tried for its kernel",
        Edge::LargestRange => "the largest range tried for its kernel",
        Edge::LeastPenalty => "the least penalty tried",
        Edge::LargestPenalty => "the largest penalty tried",
        Edge::LargestPower => "the largest eta tried",
    }
}

/// The name of an edge, for programs.
pub fn edge_key(edge: Edge) -> &'static str {
    match edge {
        Edge::LeastRange => "least-range",
        Edge::LargestRange => "largest-range",
        Edge::LeastPenalty => "least-penalty",
        Edge::LargestPenalty => "largest-penalty",
        Edge::LargestPower => "largest-eta",
    }
}

/// How a smoother was chosen.
pub fn selected(selection: &Selection) -> Option<String> {
    let Selection::Chosen(choice) = selection else { return None };
    let edge = edges_in_words(&choice.surface).map_or_else(String::new, |edge| format!("; at {edge}"));
    let negative = if choice.surface.least() < 0.0 {
        ". Its estimated risk is below 0: the estimate is right on average only, and where the true risk is small it can fall below 0. \
         It ranks smoothers, and is not their error"
    } else {
        ""
    };
    Some(format!(
        "the best of {} by Stein's unbiased risk estimate, made from the release itself at no cost in privacy{edge}{negative}",
        choice.surface.candidates().count(),
    ))
}
