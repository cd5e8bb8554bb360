//! How the rules of a harness are declared.

/// Declares the rules of one harness, after its id, and `ALL` of them. Each is
/// `NAME = "word", "sentence", evidence, ["case", …];`.
macro_rules! rules {
    ($harness:literal: $($(#[$doc:meta])* $name:ident = $word:literal, $summary:literal, $evidence:expr, [$($case:literal),* $(,)?];)+) => {
        $(
            $(#[$doc])*
            #[doc = concat!("`", $harness, "/", $word, "`, with its sentence and what it rests on.")]
            pub(super) static $name: muster_core::Rule = muster_core::Rule {
                id: concat!($harness, "/", $word),
                summary: $summary,
                evidence: $evidence,
                cases: &[$($case),*],
            };
        )+

        /// Every rule.
        pub(super) static ALL: &[&muster_core::Rule] = &[$(&$name),+];
    };
}

pub(crate) use rules;
