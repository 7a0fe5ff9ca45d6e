//! The columns that each kind needs: a record in each row, or a value in each row.

use crate::advice::advice;
use crate::choices::GapsName;
use crate::kind::Kind;
use crate::refusal::Refusal;
use crate::study::Study;
use crate::texts::not_given;

/// What belongs to tables with a record in each row, where the kind reads tables with a value in each row too.
const WIDE: [&str; 4] = ["values", "subject", "gaps", "grid"];

impl Study {
    /// Whether each row of the table is one value.
    pub fn is_long(&self) -> bool {
        let said = |names: &[&str]| names.iter().any(|name| self.get(name).is_some());
        match self.kind {
            Kind::Rows | Kind::Centiles => said(&["id", "time", "value", "domain"]),
            Kind::Surface => said(&["id", "s", "t", "value"]),
            _ => false,
        }
    }

    /// Whether records are rows: nothing stands where nothing was seen.
    pub fn is_of_rows(&self) -> bool {
        let is_seen = self.is_long() || self.table.gaps == Some(GapsName::Rows);
        self.kind == Kind::Rows || (self.kind == Kind::Centiles && is_seen)
    }

    /// The settings that name the columns, which must be said.
    pub(crate) fn needed_columns(&self) -> &'static [&'static str] {
        match (self.kind, self.is_long()) {
            (Kind::Rows | Kind::Centiles, true) => &["id", "time", "value", "domain"],
            (Kind::Surface, true) => &["surface", "surface_domain", "id", "s", "t", "value"],
            (Kind::Surface, false) => &["surface", "values"],
            (Kind::Mean | Kind::Rows | Kind::Centiles, _) => &["values"],
            (Kind::Groups, _) => &["values", "by"],
            (Kind::Change, _) if self.change.per.is_some() => &["values", "subject", "per"],
            (Kind::Change, _) => &["values", "subject", "change"],
            (Kind::Regression, _) if self.regression.outcome.is_some() && self.regression.on.is_none() => {
                &["values", "outcome"]
            }
            (Kind::Regression, _) => &["values", "on", "covariate_bounds"],
            (Kind::Density, _) => &["columns"],
        }
    }

    /// Refuses settings of two layouts, and a layout that is not whole.
    pub(crate) fn check_layout(&self) -> Result<(), Refusal> {
        let missing: Vec<&'static str> =
            self.needed_columns().iter().copied().filter(|name| self.get(name).is_none()).collect();
        // `value` was meant to be `values`
        if self.is_long() && self.table.value.is_some() && self.needed_columns().len() - missing.len() == 1 {
            return Err(Refusal::of("", not_given(&missing)).instead(
                "{value} names the column of a long table; the columns of curves, one curve in each row, are named by {values}",
            ));
        }
        if self.is_long()
            && let Some(wide) = WIDE.into_iter().find(|name| self.get(name).is_some())
        {
            let why = format!(
                "{{{wide}}} cannot be used with a table with one row for each value, named by {}",
                self.long_names()
            );
            return Err(Refusal::of(wide, why).instead(format!("leave {{{wide}}} out")));
        }
        let Some(first) = missing.first() else { return Ok(()) };
        let refusal = Refusal::of("", not_given(&missing));
        Err(match *first {
            _ if self.is_long() => {
                refusal.instead(format!("a table with one row for each value needs {}", self.long_names()))
            }
            "values" => refusal.instead(
                "name the columns of values, such as {values} 'h*'; a table with one row for each value is named by {id}, {time}, {value} \
                 and {domain}, and the columns of points by {columns}",
            ),
            name => Refusal { instead: advice(&[name]), ..refusal },
        })
    }

    fn long_names(&self) -> &'static str {
        if self.kind == Kind::Surface {
            "{surface}, {surface_domain}, {id}, {s}, {t} and {value}"
        } else {
            "{id}, {time}, {value} and {domain}"
        }
    }
}
