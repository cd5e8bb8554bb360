//! What Muster prints of text that holds secrets.

mod canaries;
mod commands;
mod excerpts;
mod scrubbing;
