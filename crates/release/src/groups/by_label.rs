//! Groups of records by their labels.

use dpfda_mechanism::{Fact, is_name};
use dpfda_privacy::Membership;
use dpfda_smoothing::stated_name;
use serde::{Deserialize, Serialize};

use super::{GroupingError, Groups, Partition};
use crate::mean::Mean;

/// Groups of records by their labels: `{names, sizes, membership}`, the sizes only where membership is public.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByLabel {
    names: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sizes: Option<Vec<u64>>,
    membership: Membership,
}

impl Groups {
    /// Groups with public members: their names and sizes are public, and neighbours differ within one group.
    ///
    /// # Errors
    /// [`GroupingError`] for fewer than 2 groups or more than 64, a name that is none, a group of fewer than 2 records, and a mean
    /// that is not isonormal in a stated ball.
    pub fn public(mean: Mean, groups: Vec<(String, u64)>) -> Result<Self, GroupingError> {
        let (names, sizes) = groups.into_iter().unzip();
        Self::new(mean, ByLabel { names, sizes: Some(sizes), membership: Membership::Public })
    }

    /// Groups with private members: their names are public, and one record can be in at most `most` of them.
    ///
    /// A cell is in a group if both say the same, see [`Said`](dpfda_smoothing::Said): `01` and `1.0` are in the group `1`.
    pub fn private(mean: Mean, names: Vec<String>, most: usize) -> Result<Self, GroupingError> {
        let mut said = Vec::new();
        for (place, name) in names.iter().enumerate() {
            let name = stated_name(name).ok_or(GroupingError::Unsure { place: place + 1 })?;
            if said.contains(&name) {
                return Err(GroupingError::Name { place: place + 1 });
            }
            said.push(name);
        }
        Self::new(mean, ByLabel { names, sizes: None, membership: Membership::Private { most } })
    }

    /// The names of the groups.
    pub fn names(&self) -> &[String] {
        &self.partition().names
    }
}

impl Partition for ByLabel {
    const KIND: &'static str = "groups";

    fn names(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    fn membership(&self) -> Membership {
        self.membership
    }

    fn sizes(&self) -> Option<&[u64]> {
        self.sizes.as_deref()
    }

    fn check(&self) -> Result<(), GroupingError> {
        let Self { names, sizes, membership } = self;
        if names.len() < 2 {
            return Err(GroupingError::TooFewGroups { found: names.len() });
        }
        if let Some(place) = (0..names.len()).find(|&i| !is_name(&names[i]) || names[..i].contains(&names[i])) {
            return Err(GroupingError::Name { place: place + 1 });
        }
        let expected = if *membership == Membership::Public { Some(names.len()) } else { None };
        if sizes.as_ref().map(Vec::len) != expected {
            return Err(GroupingError::Sizes);
        }
        let too_small = sizes.iter().flatten().zip(1..).find(|(size, _)| **size < 2);
        too_small.map_or(Ok(()), |(&found, place)| Err(GroupingError::Size { place, found }))
    }

    fn facts(&self) -> Vec<Fact> {
        let groups = Fact::new("groups", self.in_words()).briefly(self.in_brief()).captioned(match self.sizes {
            Some(_) => "labels of groups public",
            None => "labels of groups private",
        });
        vec![groups]
    }
}

/// The most letters of names of groups that are told in brief.
const FEW: usize = 80;

impl ByLabel {
    /// The first sentence, or the number of groups where it would be long.
    fn in_brief(&self) -> String {
        let full = self.in_words();
        let (who, count) = (full.split(". ").next().unwrap_or_default(), self.names.len());
        match (who.split_once("; "), self.sizes.iter().flatten().min(), self.sizes.iter().flatten().max()) {
            (Some((names, rest)), least, most) if names.chars().count() > FEW => {
                let of = least.zip(most).map_or_else(String::new, |(least, most)| {
                    if least == most { format!(" of {least}") } else { format!(" of {least} to {most}") }
                });
                format!("{count} groups{of}; {rest}")
            }
            _ => who.to_owned(),
        }
    }

    fn in_words(&self) -> String {
        let names = self.names.iter();
        if let Some(sizes) = &self.sizes {
            let each: Vec<String> = names.zip(sizes).map(|(name, size)| format!("{name} ({size})")).collect();
            format!(
                "{}; who is in which group is public, and so are the sizes. Neighbouring data sets differ within one group, so \
                     each group has the whole budget",
                each.join(", ")
            )
        } else {
            let each: Vec<&str> = names.map(String::as_str).collect();
            let most = match self.membership {
                Membership::Private { most } if most > 1 => {
                    format!("at most {most} groups, the first in this order")
                }
                _ => "at most one group, the first in this order".to_owned(),
            };
            format!(
                "{}; who is in which group is private, and so are the sizes. A record counts in {most}; a record with another \
                     label or none counts in no group",
                each.join(", ")
            )
        }
    }
}
