//! YAML against `saphyr`'s own trees.

mod texts;

use muster_document::{Dialect, Document, Member, Node, SyntaxError, Value, excerpt_line};
use proptest::prelude::*;
use saphyr::{LoadableYamlNode as _, MarkedYaml, Scalar, YamlData};

use texts::{block, pieces};

use crate::total::{check_document, check_error, soup};
use crate::{cases, parse, walk};

const FENCE: &str = "---\n";

fn parse_yaml(yaml: &str) -> Result<Document, SyntaxError> {
    parse(
        format!("{FENCE}{yaml}\n---\nbody"),
        Dialect::YamlFrontMatter,
    )
}

/// A value without places, in the shape of both trees.
#[derive(Debug, Clone, PartialEq)]
enum Plain {
    Null,
    Bool(bool),
    Number(u64),
    String(String),
    Array(Vec<Plain>),
    Table(Vec<(Plain, Plain)>),
    /// A key that is no scalar.
    Spelled,
}

fn number(value: f64) -> Plain {
    Plain::Number(if value.is_nan() { f64::NAN } else { value }.to_bits())
}

fn of_node(node: &Node) -> Plain {
    match &node.value {
        Value::Null => Plain::Null,
        Value::Bool(value) => Plain::Bool(*value),
        Value::Number(value) => number(value.as_f64()),
        Value::String(text) => Plain::String(text.clone()),
        Value::Datetime(_) => panic!("YAML's core schema has no dates"),
        Value::Array(items) => Plain::Array(items.iter().map(of_node).collect()),
        Value::Table(members) => {
            let member = |member: &Member| {
                (
                    Plain::String(member.key.text.clone()),
                    of_node(&member.value),
                )
            };
            Plain::Table(members.iter().map(member).collect())
        }
    }
}

/// `None` where an alias stands inside of its anchor, which `saphyr` gives a value of its own.
fn of_saphyr(node: &MarkedYaml<'_>) -> Option<Plain> {
    Some(match &node.data {
        YamlData::Value(Scalar::Null) => Plain::Null,
        YamlData::Value(Scalar::Boolean(value)) => Plain::Bool(*value),
        YamlData::Value(Scalar::Integer(value)) => number(*value as f64),
        YamlData::Value(Scalar::FloatingPoint(value)) => number(value.into_inner()),
        YamlData::Value(Scalar::String(text)) => Plain::String(text.clone().into_owned()),
        YamlData::Sequence(items) => {
            Plain::Array(items.iter().map(of_saphyr).collect::<Option<_>>()?)
        }
        YamlData::Mapping(members) => Plain::Table(
            members
                .iter()
                .map(|(key, value)| Some((key_of_saphyr(key), of_saphyr(value)?)))
                .collect::<Option<_>>()?,
        ),
        YamlData::Tagged(_, node) => of_saphyr(node)?,
        YamlData::BadValue => return None,
        data => panic!("{data:?}"),
    })
}

fn key_of_saphyr(key: &MarkedYaml<'_>) -> Plain {
    match &key.data {
        YamlData::Value(Scalar::String(text)) => Plain::String(text.clone().into_owned()),
        _ => Plain::Spelled,
    }
}

/// Whether the trees are the same but for keys that are no strings.
fn same(ours: &Plain, theirs: &Plain) -> bool {
    match (ours, theirs) {
        (_, Plain::Spelled) => true,
        (Plain::Array(ours), Plain::Array(theirs)) => {
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(|(o, t)| same(o, t))
        }
        (Plain::Table(ours), Plain::Table(theirs)) => {
            let both = ours.iter().zip(theirs);
            ours.len() == theirs.len()
                && both
                    .into_iter()
                    .all(|((ok, ov), (tk, tv))| same(ok, tk) && same(ov, tv))
        }
        _ => ours == theirs,
    }
}

/// What `saphyr` makes of `yaml`; `None` if that is an error or more than one document.
fn saphyr(yaml: &str) -> Option<Plain> {
    let documents = MarkedYaml::load_from_str(yaml).ok()?;
    match documents.as_slice() {
        [] => Some(Plain::Table(Vec::new())),
        [document] => of_saphyr(document),
        _ => None,
    }
}

/// Asserts that `node` is what its part of the text says by itself.
#[track_caller]
fn check_spelling(document: &Document, node: &Node) {
    let spelled = node.span.of(document.text());
    assert_eq!(
        spelled.trim_matches([' ', '\t', '\r', '\n']),
        spelled,
        "in {:?}",
        document.text()
    );
    if let Some(quote @ ('"' | '\'')) = spelled.chars().next()
        && !spelled.contains('\n')
        && node.as_str().is_some()
    {
        assert!(spelled.ends_with(quote), "{spelled:?}");
    }
    // In brackets the parser takes signs of block scalars for words.
    let word = |text: &str| {
        text == spelled || text.starts_with(['|', '>']) && spelled.starts_with(['|', '>'])
    };
    if node.as_str().is_some_and(word) {
        return;
    }
    let column = document.place(node.span).position.column as usize - 1;
    let alone = parse_yaml(&format!("{}{spelled}", " ".repeat(column)))
        .unwrap_or_else(|error| panic!("{spelled:?} in {:?}: {error}", document.text()));
    let alone = alone.root();
    let same = match (&node.value, &alone.value) {
        (Value::String(text), Value::String(alone)) => text.trim_end() == alone.trim_end(),
        // A string by its tag, or a key.
        (Value::String(text), Value::Number(number)) => *text == number.text,
        (Value::String(text), Value::Bool(value)) => *text == value.to_string(),
        (Value::Null, Value::Table(members)) => spelled.is_empty() && members.is_empty(),
        _ => trimmed(of_node(node)) == trimmed(of_node(alone)),
    };
    assert!(same, "{spelled:?} in {:?}", document.text());
}

/// The line ends at the end of a block scalar belong to its value, not to its span.
fn trimmed(value: Plain) -> Plain {
    match value {
        Plain::String(text) => Plain::String(text.trim_end().to_owned()),
        Plain::Array(items) => Plain::Array(items.into_iter().map(trimmed).collect()),
        Plain::Table(members) => {
            let member = |(key, value)| (trimmed(key), trimmed(value));
            Plain::Table(members.into_iter().map(member).collect())
        }
        scalar => scalar,
    }
}

fn has_key_twice(node: &Node) -> bool {
    let members = node.members();
    let below = members
        .iter()
        .map(|member| &member.value)
        .chain(node.as_array().unwrap_or_default());
    members.len() != node.effective_members().len() || below.into_iter().any(has_key_twice)
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn any_bytes_in_fences_give_a_tree_or_an_error(bytes in soup()) {
        let file = [b"---\n", &*bytes, b"\n---\n"].concat();
        match parse(&file, Dialect::YamlFrontMatter) {
            Ok(document) => {
                check_document(&document);
                let lines = 1..=u32::try_from(document.lines().line_count()).unwrap();
                assert!(lines.into_iter().all(|line| excerpt_line(&document, line).is_some()));
            }
            Err(error) => check_error(&error),
        }
    }

    #[test]
    fn trees_are_those_of_saphyr(yaml in prop_oneof![block(3), pieces()]) {
        let fenced = yaml.split_inclusive('\n').any(|line| line.trim_end() == "---");
        // The other reader does not follow merge keys.
        prop_assume!(!fenced && !yaml.contains("<<"));
        match (parse_yaml(&yaml), saphyr(&format!("{yaml}\n"))) {
            (Ok(ours), Some(theirs)) => {
                let ours = of_node(ours.root());
                prop_assert!(same(&ours, &theirs), "{:?}\n{:?}\n{:?}", yaml, ours, theirs);
            }
            (Err(_), None) => {}
            // It refuses a key twice, and an alias as a key is no different from one as a value for us.
            (Ok(ours), None) if has_key_twice(ours.root()) => {}
            (Err(error), Some(_)) if error.message == "an alias inside of what it stands for" => {}
            (ours, theirs) => prop_assert!(false, "{:?}\n{:?}\n{:?}", yaml, ours.map(|o| of_node(o.root())), theirs),
        }
    }

    #[test]
    fn spans_hold_their_keys_and_values(yaml in prop_oneof![block(3), pieces()]) {
        let Ok(document) = parse_yaml(&yaml) else { return Ok(()) };
        check_document(&document);
        // Anchors and the parent's indentation are outside of a span.
        prop_assume!(!yaml.contains(['*', '%']) && !yaml.contains("+2"));
        walk(document.root(), &mut |member, node| {
            check_spelling(&document, node);
            if let Some(member) = member && !member.key.span.of(document.text()).is_empty() {
                let key = Node { value: Value::String(member.key.text.clone()), span: member.key.span };
                check_spelling(&document, &key);
            }
        });
    }
}
