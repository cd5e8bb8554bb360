//! Strategies for proptest: what people (and worse) write into harnesses' configuration.
//!
//! Everything is drawn from the words that harnesses know, so that random trees reach the rules and do not stop at "unknown key";
//! now and then a value is of the wrong type, a name strange, a file broken.

mod crossing;
mod entries;
mod looks;
mod mutate;
mod places;
mod render;
mod words;

pub use crossing::crossed;
pub use entries::{document, entry};
pub use looks::{looked_at, tree_for};
pub use mutate::{Mutation, mutated, mutation};
pub use places::{Format, PLACES, file, tree};
pub use render::{json, toml};
pub use words::{junk, name, text};
