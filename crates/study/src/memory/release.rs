//! From tables in memory to a prepared release: rows are encoded where they lie, if each row alone is a record.

use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{PartId, Statistic};
use dpfda::privacy::{ClippedBall, NonPrivate};
use dpfda::release::{Mean, MeanDomain, Plan};

use super::long::LongTable;
use super::table::RowTable;
use crate::blame::Blame;
use crate::refusal::Refusal;
use crate::release::{Account, Asked, Data, Finish, Watch, Work, during, plain, tell_of_ids, tell_of_unused};

impl Asked<'_> {
    /// Hands the release of a table with one record in each row over to the account: **spends the budget**.
    ///
    /// # Errors
    /// As [`Asked::release`].
    pub fn release_rows<A: Account>(
        &self,
        table: &RowTable<'_>,
        work: Work,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        match self {
            Self::Mean(asked) if !asked.needs_curves() => {
                let plan = asked.plan(&table.grid, table.ids.is_some(), Some(table.records()))?;
                // the spectrum is solved before the noise is drawn
                let viewer = during(watch, "spectrum", || plan.viewer())?;
                let finish = asked.finish(viewer, asked.study.source(table.names.clone()));
                of_rows(&plan, table, (work, account), watch, finish)
            }
            Self::Surface(asked) => {
                let plan = asked.plan(table.rows.columns(), table.ids.is_some(), Some(table.records()))?;
                let finish = plain(asked.study, table.names.clone(), &asked.band);
                of_rows(&plan, table, (work, account), watch, finish)
            }
            _ => self.release(&Data::Memory(&table.curves()?, &table.texts), work, account, watch),
        }
    }

    /// Hands the release of a long table over to the account: **spends the budget**.
    ///
    /// # Errors
    /// As [`Asked::release`].
    pub fn release_long<A: Account>(
        &self,
        table: &LongTable<'_>,
        work: Work,
        account: A,
        watch: &dyn Watch,
    ) -> Result<A::Output, A::Error> {
        match self {
            Self::Rows(asked) => {
                let mut rows = asked.on_domain()?.rows_of_records(Some(table.records() as u64))?;
                table.push_to(&mut rows)?;
                tell_of_ids(watch, &rows.similar_ids());
                tell_of_unused(watch, &rows.seen());
                account.pay(rows.prepare()?, plain(asked.study, table.names.clone(), &asked.band))
            }
            Self::Surface(asked) => {
                self.release(&Data::Memory(&table.surfaces(&asked.grid)?, &[]), work, account, watch)
            }
            _ => {
                let why = "a long table is one of rows or of surfaces".to_owned();
                Err(Refusal { blame: Blame::Data, why, instead: None }.into())
            }
        }
    }
}

/// Encodes rows in memory, which are not copied, and has the account pay. Where a centre is bought, they are encoded again about it.
fn of_rows<D: MeanDomain, A: Account>(
    plan: &Plan<Mean<D>>,
    table: &RowTable<'_>,
    (work, account): (Work, A),
    watch: &dyn Watch,
    finish: Finish<'_, Mean<D>>,
) -> Result<A::Output, A::Error>
where
    Mean<D>: Estimable + Statistic<Body = ClippedBall>,
{
    let encode = |plan: &Plan<Mean<D>>| plan.encode_rows(&table.rows, table.ids, PartId::whole(), None, work.threads());
    let part = during(watch, "encoding", || encode(plan))?;
    tell_of_ids(watch, &NonPrivate::new(table.similar_ids()));
    if plan.is_twice() {
        let again = |plan: &Plan<Mean<D>>| Ok(encode(plan)?);
        return account.pay(part.prepare_twice(plan, again).map_err(|again| again.reason)?, finish);
    }
    account.pay(part.prepare(plan).map_err(|again| again.reason)?, finish)
}
