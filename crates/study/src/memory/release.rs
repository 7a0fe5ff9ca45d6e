//! From tables in memory to a prepared release: rows are encoded where they lie, if each row alone is a record.

use dpfda::kinds::Kind as Estimable;
use dpfda::mechanism::{Fact, PartId, Statistic};
use dpfda::privacy::{ClippedBall, NonPrivate};
use dpfda::release::{LongRows, Mean, MeanDomain, OfRows, Plan};

use super::long::LongTable;
use super::table::RowTable;
use crate::blame::Blame;
use crate::refusal::Refusal;
use crate::release::{Account, Asked, Data, Failure, Finish, Watch, Work, during, plain, tell_of_ids, tell_of_unused};

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
                let rows = asked.on_domain()?.rows_of_records(Some(table.records() as u64))?;
                let rows = taken(table, rows, watch)?;
                account.pay(rows.prepare()?, plain(asked.study, table.names.clone(), &asked.band))
            }
            Self::Centiles(asked) => {
                let (centiles, rows) = asked.rows()?;
                let rows = taken(table, rows, watch)?;
                account.pay(centiles.prepare_rows(&rows)?, plain(asked.study, table.names.clone(), &asked.band))
            }
            Self::Surface(asked) => {
                self.release(&Data::Memory(&table.surfaces(&asked.grid)?, &[]), work, account, watch)
            }
            _ => Err(no_long_table().into()),
        }
    }

    /// What a release of a long table would read and spend.
    ///
    /// # Errors
    /// As a release, before its payment.
    pub fn look_long<E: Failure>(
        &self,
        table: &LongTable<'_>,
        work: Work,
        watch: &dyn Watch,
    ) -> Result<NonPrivate<Vec<Fact>>, E> {
        let look = match self {
            Self::Rows(asked) => {
                let mut rows = asked.on_domain()?.rows()?;
                table.push_to(&mut rows)?;
                asked.look::<E>(&rows, table.names.clone())?.into_revealed().facts
            }
            Self::Centiles(asked) => {
                let (centiles, mut rows) = asked.rows()?;
                table.push_to(&mut rows)?;
                asked.look::<E>(&centiles, &rows, table.names.clone())?.into_revealed().facts
            }
            Self::Surface(asked) => {
                let surfaces = table.surfaces(&asked.grid)?;
                self.look::<E>(&Data::Memory(&surfaces, &[]), work, watch)?.into_revealed().facts
            }
            _ => return Err(no_long_table().into()),
        };
        Ok(NonPrivate::new(look))
    }
}

/// The rows of a table, after the curator is told of what is strange in them.
fn taken<S: OfRows>(table: &LongTable<'_>, mut rows: LongRows<S>, watch: &dyn Watch) -> Result<LongRows<S>, Refusal> {
    table.push_to(&mut rows)?;
    tell_of_ids(watch, &rows.similar_ids());
    tell_of_unused(watch, &rows.seen());
    Ok(rows)
}

fn no_long_table() -> Refusal {
    let why = "a long table is one of rows, of centile curves or of surfaces".to_owned();
    Refusal { blame: Blame::Data, why, instead: None }
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
