//! The core in worlds made in memory.

mod contest;
mod git;
mod identity;
mod installed;
mod platforms;
