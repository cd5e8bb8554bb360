//! What both eras can do besides lists and calls, one file each. Where the eras differ, callers do not see it.
//!
//! ```text
//! server asks ──► Answers ─┬ Elicits   forms and addresses, put to the user
//!                          ├ Samples   a model, where there is one
//!                          └ roots     the project folder
//! we ask      ──► complete · want_log · listen, follow · Cache
//! ```

mod answers;
mod cache;
mod completion;
mod elicitation;
mod field;
mod following;
mod listening;
mod logging;
mod roots;

pub use answers::{Answers, Elicits, Samples};
pub use cache::{Cache, CacheOwner, Cached};
pub use completion::{Completion, Reference};
pub use elicitation::{Elicitation, Elicited, Form, Visit, visits_required};
pub use field::{Choice, Field, FieldKind};
pub use following::{Following, backoff};
pub use listening::{Change, Filter, ListenError, Listening, ListeningEnd};
pub use logging::LOG_LEVELS;
pub use roots::roots;
