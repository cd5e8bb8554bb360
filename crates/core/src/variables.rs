//! The ways in which harnesses write a variable, and where each of them looks for one.

/// A way to write a variable's value into a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VariableForm {
    /// `$NAME`
    Dollar,
    /// `${NAME}`
    Braces,
    /// `${NAME:-default}`
    Default,
    /// `${env:NAME}`
    EnvBraces,
    /// `{env:NAME}`
    EnvCurly,
    /// `{file:PATH}`
    FileCurly,
    /// `%NAME%`
    Percent,
}

impl VariableForm {
    /// The form with `NAME` in it, as a person would write it.
    pub fn example(self) -> &'static str {
        match self {
            VariableForm::Dollar => "$NAME",
            VariableForm::Braces => "${NAME}",
            VariableForm::Default => "${NAME:-default}",
            VariableForm::EnvBraces => "${env:NAME}",
            VariableForm::EnvCurly => "{env:NAME}",
            VariableForm::FileCurly => "{file:PATH}",
            VariableForm::Percent => "%NAME%",
        }
    }
}

/// A field of a definition that may hold variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// The program.
    Command,
    /// An argument.
    Argument,
    /// The working folder.
    Cwd,
    /// The value of an environment variable.
    EnvValue,
    /// The address.
    Url,
    /// The value of a header field.
    HeaderValue,
}

impl Field {
    /// Every field.
    pub const ALL: [Field; 6] = [
        Field::Command,
        Field::Argument,
        Field::Cwd,
        Field::EnvValue,
        Field::Url,
        Field::HeaderValue,
    ];

    /// The word on screen.
    pub fn word(self) -> &'static str {
        match self {
            Field::Command => "command",
            Field::Argument => "argument",
            Field::Cwd => "working folder",
            Field::EnvValue => "environment value",
            Field::Url => "address",
            Field::HeaderValue => "header value",
        }
    }
}

/// What a harness does with a variable that is unset and has no default.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unset {
    /// The text stays as it is.
    StaysText,
    /// Nothing is put in its place.
    Empty,
    /// That server is not started.
    ServerFails,
    /// Not known.
    Unknown,
}
