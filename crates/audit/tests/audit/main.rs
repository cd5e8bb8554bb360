//! What the checks find, in trees laid out in memory.

mod agents;
mod examples;
mod found;
mod measured;
mod promises;
mod spelling;
mod starting;
mod trust;
mod variables;
