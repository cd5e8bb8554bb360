//! JSON Schema of the JSON formats, derived from the views themselves.

use schemars::generate::SchemaSettings;

use crate::view::{Check, Explain, List, Login, Logout, OfferedTools, Prompts, Ps, Resources, Why};

/// A JSON format that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schema {
    /// `muster.list/1`.
    List,
    /// `muster.check/1`.
    Check,
    /// `muster.why/1`.
    Why,
    /// `muster.explain/1`.
    Explain,
    /// `muster.tools/1`.
    Tools,
    /// `muster.resources/1`.
    Resources,
    /// `muster.prompts/1`.
    Prompts,
    /// `muster.ps/1`.
    Ps,
    /// `muster.login/1`.
    Login,
    /// `muster.logout/1`.
    Logout,
}

impl Schema {
    /// The schema as indented JSON.
    pub fn to_json(self) -> String {
        // What is written is described, not what could be read: every key is required.
        let generator = SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator();
        let schema = match self {
            Schema::List => generator.into_root_schema_for::<List<'_>>(),
            Schema::Check => generator.into_root_schema_for::<Check<'_>>(),
            Schema::Why => generator.into_root_schema_for::<Why<'_>>(),
            Schema::Explain => generator.into_root_schema_for::<Explain>(),
            Schema::Tools => generator.into_root_schema_for::<OfferedTools>(),
            Schema::Resources => generator.into_root_schema_for::<Resources>(),
            Schema::Prompts => generator.into_root_schema_for::<Prompts>(),
            Schema::Ps => generator.into_root_schema_for::<Ps>(),
            Schema::Login => generator.into_root_schema_for::<Login>(),
            Schema::Logout => generator.into_root_schema_for::<Logout>(),
        };
        crate::json::write(&schema)
    }
}
