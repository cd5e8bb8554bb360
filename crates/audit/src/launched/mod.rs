//! What servers that were started did wrong, for whom that matters, and what is likely behind a failure.

mod causes;
mod checks;
mod findings;

pub use causes::{Likely, likely};
pub use checks::{LAUNCH_CHECKS, OUTCOMES};
pub use findings::{Launch, audit_launched};
