//! The ids of subjects, each kept once.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

#[cfg(test)]
#[path = "ids_tests.rs"]
mod tests;

/// Ids of subjects in the order in which they came first: private data.
///
/// They lie one behind the other, so that an id takes little more than its bytes: some 25.
#[derive(Clone, Default)]
pub struct Ids {
    bytes: Vec<u8>,
    /// Where each id ends.
    ends: Vec<usize>,
    /// The places of all ids.
    places: HashTable<usize>,
    hasher: RandomState,
    /// The id that was asked for last: rows of a subject often follow one another.
    last: usize,
}

impl Ids {
    /// The place of an id, counted from 0; one that is new comes behind the others.
    pub fn place_of(&mut self, id: &[u8]) -> usize {
        if self.get(self.last) != Some(id) {
            self.last = self.find_or_add(id);
        }
        self.last
    }

    fn find_or_add(&mut self, id: &[u8]) -> usize {
        let Self { bytes, ends, places, hasher, .. } = self;
        let hash = hasher.hash_one(id);
        if let Some(&place) = places.find(hash, |&place| id_at(bytes, ends, place) == Some(id)) {
            return place;
        }
        let place = ends.len();
        bytes.extend_from_slice(id);
        ends.push(bytes.len());
        places.insert_unique(hash, place, |&place| hasher.hash_one(id_at(bytes, ends, place).unwrap_or_default()));
        place
    }

    /// The id at a place.
    pub fn get(&self, place: usize) -> Option<&[u8]> {
        id_at(&self.bytes, &self.ends, place)
    }

    /// The number of ids.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All ids, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> + Clone {
        (0..self.len()).map_while(|place| self.get(place))
    }
}

fn id_at<'a>(bytes: &'a [u8], ends: &[usize], place: usize) -> Option<&'a [u8]> {
    let end = *ends.get(place)?;
    let start = if place == 0 { 0 } else { ends[place - 1] };
    bytes.get(start..end)
}

impl std::fmt::Debug for Ids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Ids(..)")
    }
}
