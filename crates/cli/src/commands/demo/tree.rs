//! The made-up home and project: what every harness has in it, and a repository around the project.

/// What stands for the made-up home in the files.
pub(super) const HOME: &str = "{{HOME}}";

/// The project's folder, in the home.
pub(super) const PROJECT: &str = "shop";

/// Path in the home, and content.
pub(super) fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    let examples = muster_harness::ALL
        .iter()
        .flat_map(|harness| harness.example());
    examples
        .copied()
        .chain([("shop/.git/HEAD", "ref: refs/heads/main\n")])
}
