//! How an agent says what others say in another way.

use muster_document::Node;

use crate::{Field, Transport};

/// What somebody who comes from another agent gets wrong with this one: what it calls things, counts in, follows and never reads, and
/// what to write in place of what it does not know. All of it is data, observed on the version that the harness's rules name.
///
/// [`Idiom::SILENT`] says nothing: a harness gives what is known of it, and nobody is told the rest.
#[derive(Debug)]
pub struct Idiom {
    /// Keys of an entry, each with what it means. One key may mean several things.
    pub keys: &'static [(Thing, &'static str)],
    /// Its other keys, which no other agent has under another name.
    pub other_keys: &'static [&'static str],
    /// What to do about a thing for which an entry has no key, where that is special to this agent.
    pub instead: &'static [(Thing, &'static str)],
    /// Whether an entry may hold a command and an address: one of them is used. Where it may not, it is refused.
    pub command_beside_address: bool,

    /// The words for each transport, the usual one first; empty where it reads none.
    pub transports: &'static [(Transport, &'static [&'static str])],
    /// Words in a transport's place that programs write, not people.
    pub reserved_transports: &'static [&'static str],
    /// How it knows what to speak at an address.
    pub address: Address,

    /// What a bare number of its times counts; `None` where it reads no times.
    pub times: Option<TimeUnit>,
    /// What it makes of `~/` at the start of a command or a working folder.
    pub tilde: Tilde,
    /// What to write in place of a variable in a field in which it follows none, with `NAME` for the variable's; `None` for the value.
    pub instead_of_variable: fn(Field) -> Option<&'static str>,
    /// Variables that it sets itself for what a plugin brings.
    pub plugin_variables: &'static [&'static str],

    /// The tables that its servers stand in, told to whoever writes one into another agent's file.
    pub tables: &'static [Table],
    /// Names of files and folders that are its own: what stands in them is its to tell of.
    pub files: &'static [&'static str],

    /// How a server is switched off, with `SERVER` for its name.
    pub switch_off: Option<&'static str>,
    /// Where the tools of a server are approved.
    pub approve_tools: Option<&'static str>,
    /// Where it keeps which folders are trusted.
    pub trust: Option<TrustStore>,
    /// What in a file of a project says yes to the project's own servers.
    pub self_approvals: &'static [SelfApproval],
    /// Whether it tells the tools of two servers apart whose names come to the same.
    pub tells_tools_apart: bool,
}

/// Something that an entry can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thing {
    /// The program.
    Command,
    /// Its arguments.
    Args,
    /// Its environment variables.
    Env,
    /// A file of them.
    EnvFile,
    /// The folder it is started in.
    Cwd,
    /// The address.
    Url,
    /// Header fields that are sent.
    Headers,
    /// The word for how the server is spoken to.
    Transport,
    /// How long it may take to start.
    StartTimeout,
    /// How long a call may take.
    CallTimeout,
    /// A time of which it is not said what for.
    Timeout,
    /// The name of the variable that holds a token.
    BearerVariable,
    /// Tools that alone are offered.
    OnlyTools,
    /// Tools that are hidden.
    WithoutTools,
}

/// How an agent knows what to speak at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// By the word for the transport: an address without one is refused, with a reason that names the key.
    NeedsWord,
    /// By itself, where no word tells.
    FindsOut,
    /// It speaks Streamable HTTP, whatever a word says.
    OnlyHttp,
}

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Milliseconds,
}

/// What becomes of `~/` at the start of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tilde {
    /// It stands for the home.
    Followed,
    /// It is a folder of that name.
    Kept,
    /// Not known.
    Unknown,
}

/// A table that holds servers by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// As a person would name it: `mcp.servers`.
    pub key: &'static str,
    /// The keys that lead to it.
    pub path: &'static [&'static str],
    /// Who reads it, as a person would name it: the agent, or a version of it.
    pub reader: &'static str,
}

/// Where an agent keeps which folders are trusted: a table with a key for each folder.
#[derive(Debug)]
pub struct TrustStore {
    /// How the path of such a file ends.
    pub files: &'static [&'static str],
    /// The key under which the folders stand; `None` for the whole file.
    pub table: Option<&'static str>,
    /// Whether a folder's value says that it is trusted.
    pub trusts: fn(&Node) -> bool,
    /// Whether trust in a folder holds below it.
    pub below: bool,
    /// Whether links in a folder's path are followed.
    pub links: bool,
}

/// A key with which a project approves itself.
#[derive(Debug)]
pub struct SelfApproval {
    /// The table of servers in whose entries it stands; `None` where it stands at the top of the file.
    pub servers: Option<&'static str>,
    /// The key.
    pub key: &'static str,
    /// Whether its value says yes.
    pub approves: fn(&Node) -> bool,
    /// What it does, to be read after "a file of the project".
    pub what: &'static str,
}

impl Idiom {
    /// That of an agent of which nothing is known.
    pub const SILENT: Idiom = Idiom {
        keys: &[],
        other_keys: &[],
        instead: &[],
        command_beside_address: true,
        transports: &[],
        reserved_transports: &[],
        address: Address::FindsOut,
        times: None,
        tilde: Tilde::Unknown,
        instead_of_variable: |_| None,
        plugin_variables: &[],
        tables: &[],
        files: &[],
        switch_off: None,
        approve_tools: None,
        trust: None,
        self_approvals: &[],
        tells_tools_apart: false,
    };

    /// Every key of an entry.
    pub fn every_key(&self) -> impl Iterator<Item = &'static str> + use<> {
        let keys = self.keys.iter().map(|(_, key)| *key);
        keys.chain(self.other_keys.iter().copied())
    }

    /// The key for `thing`.
    pub fn key_for(&self, thing: Thing) -> Option<&'static str> {
        let mut keys = self.keys.iter();
        keys.find(|(meant, _)| *meant == thing).map(|(_, key)| *key)
    }

    /// The key for how a server is spoken to, or what most agents call it.
    pub fn transport_key(&self) -> &'static str {
        self.key_for(Thing::Transport).unwrap_or("type")
    }

    /// What `key` means.
    pub fn things(&self, key: &str) -> impl Iterator<Item = Thing> {
        let keys = self.keys.iter().filter(move |(_, own)| *own == key);
        keys.map(|(thing, _)| *thing)
    }

    /// Whether `word` stands for a transport.
    pub fn takes_transport(&self, word: &str) -> bool {
        self.transports
            .iter()
            .any(|(_, words)| words.contains(&word))
    }

    /// The usual word for `transport`; `None` where it does not speak it, or reads no words.
    pub fn word_for(&self, transport: Transport) -> Option<&'static str> {
        let mut spoken = self.transports.iter();
        let (_, words) = spoken.find(|(spoken, _)| *spoken == transport)?;
        words.first().copied()
    }
}
