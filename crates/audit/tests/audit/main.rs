//! What the checks find, in trees laid out in memory.

mod examples;
mod found;
mod promises;
mod starting;
mod variables;
