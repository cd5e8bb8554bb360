//! For tests only: worlds in memory, worlds laid down on disk, golden cases, strategies, fuzz targets.
//!
//! | to test | take |
//! |---|---|
//! | what a harness makes of a few files | [`Stage`]: a [`Tree`] in memory from a text, and the [`World`](muster_core::World) around it |
//! | that the binary agrees with the real programs | [`cases`]: recorded cases, laid down on disk, compared |
//! | that something holds for any input | [`strategies`] with proptest; [`claims`] about resolutions; [`fuzz`], the same for cargo-fuzz |
//!
//! ```
//! use muster_core::Files;
//! use muster_testkit::Stage;
//!
//! let stage = Stage::new(r#"
//!     //- /home/me/.claude.json
//!     {"mcpServers": {"db": {"command": "db"}}}
//!     //- /work/repo/link -> ../other
//! "#);
//! let world = stage.world();
//! let text = world.files.read("/home/me/.claude.json".into(), Files::LIMIT).unwrap();
//! assert_eq!(&*text, b"{\"mcpServers\": {\"db\": {\"command\": \"db\"}}}\n");
//! assert_eq!(stage.tree.reads("/home/me/.claude.json"), 1);
//! ```
//!
//! A crate that this one depends on (`muster-document`, `muster-core`) can use it in `tests/` only, not in its unit tests: those
//! see another build of the crate, whose types are not the ones meant here.

#![expect(
    clippy::panic,
    reason = "a fixture that cannot be laid out is a fault of the test that wrote it"
)]

pub mod cases;
pub mod claims;
mod fixture;
pub mod fuzz;
mod stage;
pub mod strategies;
mod tree;

pub use stage::Stage;
pub use tree::Tree;
