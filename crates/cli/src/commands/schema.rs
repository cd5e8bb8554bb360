//! `muster schema`: what a JSON format promises.

use muster_report::{Page, Schema};

use crate::args::SchemaName;

/// The schema of `name`'s JSON.
pub(crate) fn run(name: SchemaName) -> Page {
    let schema = match name {
        SchemaName::List => Schema::List,
        SchemaName::Check => Schema::Check,
        SchemaName::Why => Schema::Why,
        SchemaName::Explain => Schema::Explain,
        SchemaName::Tools => Schema::Tools,
        SchemaName::Resources => Schema::Resources,
        SchemaName::Prompts => Schema::Prompts,
        SchemaName::Ps => Schema::Ps,
        SchemaName::Login => Schema::Login,
        SchemaName::Logout => Schema::Logout,
    };
    Page::own(schema.to_json())
}
