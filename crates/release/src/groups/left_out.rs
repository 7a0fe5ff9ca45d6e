//! What private labels leave out of the data: for the curator.

use std::borrow::Cow;

use dpfda_privacy::NonPrivate;
use dpfda_smoothing::{CurveSet, TextColumn, stated_name};

use crate::groups::private::{GroupedCurves, Grouping, PrivateGroups};

/// What private labels leave out: nothing in a release says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// How many records are in more groups than they count in.
    pub beyond: usize,
    /// The stated labels that no cell says.
    pub unseen: Vec<String>,
}

impl PrivateGroups {
    /// What private labels leave out of these curves; nothing where labels are public.
    pub fn left_out(&self, curves: &CurveSet, labels: &TextColumn) -> NonPrivate<LeftOut> {
        let nothing = || NonPrivate::new(LeftOut { beyond: 0, unseen: Vec::new() });
        let Grouping::Private { names, most } = self.grouping() else { return nothing() };
        // a release refuses them
        if labels.cells().len() != curves.len() {
            return nothing();
        }
        let grouped = GroupedCurves::of_stated(curves, names, labels);
        let beyond = curves.records().filter(|rows| grouped.parts(rows).len() > *most).count();
        let is_unseen = |(place, _): &(usize, &String)| !grouped.of_rows.contains(&Some(*place));
        let unseen = names.iter().enumerate().filter(is_unseen).map(|(_, name)| name.clone()).collect();
        NonPrivate::new(LeftOut { beyond, unseen })
    }
}

impl<'a> GroupedCurves<'a> {
    /// The curves, each in the group whose stated label its cell says, if any.
    pub(crate) fn of_stated(curves: &'a CurveSet, names: &[String], labels: &TextColumn) -> Self {
        let names: Vec<_> = names.iter().map(|name| stated_name(name)).collect();
        let place =
            |label: Option<&str>| label.and_then(|label| names.iter().position(|name| name.as_deref() == Some(label)));
        Self { curves: Cow::Borrowed(curves), of_rows: labels.cells().map(place).collect() }
    }
}
