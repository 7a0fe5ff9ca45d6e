//! The sum of what was spent: for everybody, or for each of several disjoint groups.

use std::collections::BTreeMap;

use dpfda_privacy::{Account, PrivacyBudget, Spend};

use crate::group::GroupName;
use crate::terms::LedgerTerms;

/// What was spent on everybody, or on each group of a ledger that has groups.
///
/// A release of all the data is added to the account of every group; a release of one group is added to the account of this
/// group. The ledger is within its total if each account is: disjoint groups cost their maximum, not their sum. Why, and for
/// which neighbours: `docs/proofs/composition.md`, section 6.
#[derive(Debug, Clone, PartialEq)]
pub struct Accounts {
    everybody: Tally,
    groups: BTreeMap<GroupName, Tally>,
}

/// An account, and how many releases of each kind are in it.
#[derive(Debug, Clone, PartialEq, Default)]
struct Tally {
    account: Account,
    gaussian: usize,
    pure: usize,
    approximate: usize,
}

impl Tally {
    fn add(&mut self, spend: &Spend) {
        self.account = self.account.with(spend);
        match spend {
            Spend::Gaussian { .. } => self.gaussian += 1,
            Spend::Approximate { delta, .. } if delta.is_zero() => self.pure += 1,
            Spend::Approximate { .. } => self.approximate += 1,
        }
    }

    /// Whether the total is proved to hold for amounts that were chosen in view of earlier releases
    /// (`docs/proofs/composition.md`, section 5): one release, or all Gaussian, or all purely private.
    fn allows_late_amounts(&self) -> bool {
        let all = self.gaussian + self.pure + self.approximate;
        all <= 1 || all == self.gaussian || all == self.pure
    }
}

impl Accounts {
    /// Nothing spent yet.
    pub(crate) fn new(terms: &LedgerTerms) -> Self {
        let groups = terms.groups().iter().map(|group| (group.clone(), Tally::default())).collect();
        Self { everybody: Tally::default(), groups }
    }

    /// The accounts with one more release, of everybody or of one group; `None` for a group that the ledger does not have.
    pub(crate) fn with(&self, part_of: Option<&GroupName>, spend: &Spend) -> Option<Self> {
        let mut accounts = self.clone();
        if let Some(group) = part_of {
            accounts.groups.get_mut(group)?.add(spend);
        } else {
            accounts.everybody.add(spend);
            accounts.groups.values_mut().for_each(|tally| tally.add(spend));
        }
        Some(accounts)
    }

    /// The accounts that a release has to fit into: that of its group, or all of them.
    fn tallies(&self, part_of: Option<&GroupName>) -> impl Iterator<Item = &Tally> {
        let everybody = self.groups.is_empty().then_some(&self.everybody);
        let groups = self.groups.iter().filter(move |(group, _)| part_of.is_none_or(|part| part == *group));
        everybody.into_iter().chain(groups.map(|(_, tally)| tally))
    }

    fn accounts(&self, part_of: Option<&GroupName>) -> impl Iterator<Item = &Account> {
        self.tallies(part_of).map(|tally| &tally.account)
    }

    /// The groups with their accounts; none for a ledger without groups.
    pub fn groups(&self) -> impl Iterator<Item = (&GroupName, &Account)> {
        self.groups.iter().map(|(group, tally)| (group, &tally.account))
    }

    /// Whether every account is within this total.
    pub fn is_within(&self, total: &PrivacyBudget) -> bool {
        self.accounts(None).all(|account| account.is_within(total))
    }

    /// The smallest epsilon of all accounts at this delta, rounded up: the largest over the groups.
    pub fn epsilon(&self, delta: f64) -> f64 {
        self.accounts(None).map(|account| account.epsilon(delta)).fold(0.0, f64::max)
    }

    /// `mu` of all Gaussian releases together, the largest over the groups; `None` without any.
    pub fn mu(&self) -> Option<f64> {
        self.accounts(None).filter_map(|account| account.gaussian().map(|privacy| privacy.mu())).reduce(f64::max)
    }

    /// What is left of a total for a release of everybody or of one group, as [`Account::remaining`] says it.
    pub fn remaining(&self, total: &PrivacyBudget, part_of: Option<&GroupName>) -> Option<PrivacyBudget> {
        let smaller = |a: PrivacyBudget, b: PrivacyBudget| {
            PrivacyBudget::new(a.epsilon().min(b.epsilon()), a.delta().min(b.delta())).ok()
        };
        let mut left = self.accounts(part_of).map(|account| account.remaining(total));
        let first = left.next()??;
        left.try_fold(first, |least, left| smaller(least, left?)).filter(|left| left.epsilon() + left.delta() > 0.0)
    }

    /// The largest purely private release that fits, as [`Account::largest_pure`] says it.
    pub fn largest_pure(&self, total: &PrivacyBudget, part_of: Option<&GroupName>) -> Option<f64> {
        self.least(part_of, |account| account.largest_pure(total))
    }

    /// The largest Gaussian release of this delta that fits, as [`Account::largest_gaussian`] says it.
    pub fn largest_gaussian(&self, total: &PrivacyBudget, delta: f64, part_of: Option<&GroupName>) -> Option<f64> {
        self.least(part_of, |account| account.largest_gaussian(total, delta))
    }

    /// The largest release of any kind with this delta that fits, as [`Account::largest_approximate`] says it.
    pub fn largest_approximate(&self, total: &PrivacyBudget, delta: f64, part_of: Option<&GroupName>) -> Option<f64> {
        self.least(part_of, |account| account.largest_approximate(total, delta))
    }

    /// The least over the accounts; `None` if one of them has no room at all.
    fn least(&self, part_of: Option<&GroupName>, largest: impl Fn(&Account) -> Option<f64>) -> Option<f64> {
        self.accounts(part_of).map(largest).reduce(|a, b| a.zip(b).map(|(a, b)| a.min(b)))?
    }

    /// Whether the total holds for planned amounts only: not for those that were chosen in view of earlier releases.
    pub fn must_be_planned(&self) -> bool {
        !self.tallies(None).all(Tally::allows_late_amounts)
    }

    /// Whether amounts must be planned from here on, and did not have to be before.
    pub(crate) fn must_be_planned_since(&self, before: &Self) -> bool {
        self.must_be_planned() && !before.must_be_planned()
    }
}
