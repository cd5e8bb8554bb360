//! Many texts looked for at once.
//!
//! An automaton finds them too, but an answer is searched once, and building one takes longer than making the answer. Here most places
//! of a text are passed over by their first bytes alone.

use crate::Span;

/// Shorter texts are not looked for: by this many bytes a place is passed over.
pub(super) const SHORTEST: usize = 8;
/// Bits of [`Needles::leads`] are numbered by this many bits of a hash.
const LEAD_BITS: u32 = 16;

/// Texts of at least [`SHORTEST`] bytes that are looked for together.
pub(super) struct Needles {
    /// Sorted, each once.
    texts: Vec<String>,
    /// For each text the longest other one that it begins with.
    inner: Vec<Option<usize>>,
    /// How the texts begin, as bits by the hash of their first bytes.
    leads: Vec<u64>,
}

impl Needles {
    /// Takes `texts`, which are sorted and differ.
    pub(super) fn new(texts: Vec<String>) -> Needles {
        let mut leads = vec![0; 1 << (LEAD_BITS - 6)];
        let mut inner = Vec::with_capacity(texts.len());
        let mut begun: Vec<usize> = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            if let Some(first) = text.as_bytes().first_chunk() {
                let bit = lead(first);
                leads
                    .get_mut(bit / 64)
                    .into_iter()
                    .for_each(|word| *word |= 1 << (bit % 64));
            }
            let begins = |other: &usize| {
                let other = texts.get(*other);
                other.is_some_and(|other| text.starts_with(other.as_str()))
            };
            while begun.pop_if(|other| !begins(other)).is_some() {}
            inner.push(begun.last().copied());
            begun.push(at);
        }
        Needles {
            texts,
            inner,
            leads,
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Every needle in `hay` by its number, with where it stands; those that overlap too.
    pub(super) fn find<'h>(&'h self, hay: &'h [u8]) -> impl Iterator<Item = (usize, Span)> + 'h {
        let places = hay.array_windows().enumerate();
        let places = places.filter(|(_, first)| {
            let bit = lead(first);
            let word = self.leads.get(bit / 64).copied().unwrap_or_default();
            word & (1 << (bit % 64)) != 0
        });
        places.flat_map(move |(at, _)| {
            let begun = self.begun(hay.get(at..).unwrap_or_default());
            begun.map(move |(needle, length)| (needle, Span::new(at, at + length)))
        })
    }

    /// The needles that `hay` begins with, and their lengths. All of them are the last needle that is not behind `hay` in order or
    /// what that begins with: whatever lies between a text and one that it begins with begins so, too.
    fn begun<'h>(&'h self, hay: &'h [u8]) -> impl Iterator<Item = (usize, usize)> + 'h {
        let behind = self.texts.partition_point(|text| text.as_bytes() <= hay);
        let inner = |needle: &usize| self.inner.get(*needle).copied().flatten();
        let candidates = std::iter::successors(behind.checked_sub(1), inner);
        candidates.filter_map(move |needle| {
            let text = self.texts.get(needle)?.as_bytes();
            hay.starts_with(text).then_some((needle, text.len()))
        })
    }
}

fn lead(first: &[u8; SHORTEST]) -> usize {
    // The golden ratio spreads neighbours over all bits.
    let hash = u64::from_le_bytes(*first).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    usize::try_from(hash >> (u64::BITS - LEAD_BITS)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Few letters, so that needles begin with each other and overlap.
        #[test]
        fn every_needle_is_found_wherever_it_stands(
            needles in prop::collection::btree_set("[ab]{8,12}|[abé]{8,40}", 0..40),
            hay in prop::collection::vec("[ab]{0,30}|[abé]{0,60}", 0..6),
        ) {
            let hay = hay.concat() + &needles.iter().cloned().collect::<String>();
            let texts: Vec<String> = needles.iter().cloned().collect();
            let found: BTreeSet<(usize, Span)> = Needles::new(texts.clone()).find(hay.as_bytes()).collect();
            let mut expected = BTreeSet::new();
            for (at, text) in texts.iter().enumerate() {
                for start in 0..hay.len() {
                    if hay.as_bytes()[start..].starts_with(text.as_bytes()) {
                        expected.insert((at, Span::new(start, start + text.len())));
                    }
                }
            }
            prop_assert_eq!(found, expected);
        }
    }
}
