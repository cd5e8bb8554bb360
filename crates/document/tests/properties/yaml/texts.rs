//! Random YAML.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

const SCALARS: &[&str] = &[
    "x",
    "two words",
    "é ü",
    "\"q\\n\\u00e9\"",
    "'it''s'",
    "1",
    "-0",
    "+12",
    "0x1F",
    "0o17",
    "1.5",
    "-1e3",
    ".5",
    ".inf",
    "-.Inf",
    ".nan",
    "1_000",
    "99999999999999999999",
    "true",
    "False",
    "null",
    "~",
    "",
    "2001-12-14",
    "http://a:1/b#c",
    "- x",
    "-x",
    "\"multi\n      line\"",
    "!!str 1",
    "!t x",
    "\"😀\"",
    "'q' # it's",
    "\"q\"  ",
];

const KEYS: &[&str] = &[
    "a",
    "b",
    "key with words",
    "\"q\"",
    "'s'",
    "é",
    "<<",
    "1",
    "true",
    "!!str c",
    "? d",
    "? [e, f]\n",
];

const BLOCK_SCALARS: &[&str] = &["one", "é\n", "a # b\n\n"];

const PROPERTIES: &[&str] = &["", "", "", "", " &x", " &y !t", " !u", " # c - | x"];

/// The levels of indentation of a text.
const LEVELS: usize = 4;

/// A node as it stands behind its key or dash, with at most `depth` levels in it.
pub(crate) fn block(depth: usize) -> BoxedStrategy<String> {
    let pad = "  ".repeat(LEVELS - depth);
    let scalar = select(SCALARS).prop_map(|text| format!(" {text}"));
    if depth == 0 {
        return prop_oneof![6 => scalar, 1 => block_scalar(pad), 1 => flow()].boxed();
    }
    let alias = select(&[" *x", " *y"][..]).prop_map(str::to_owned);
    prop_oneof![
        3 => scalar,
        1 => block_scalar(pad.clone()),
        1 => flow(),
        4 => table(depth, pad.clone()),
        3 => list(depth, pad),
        1 => alias,
    ]
    .boxed()
}

fn block_scalar(pad: String) -> impl Strategy<Value = String> {
    let head = select(&["|", ">", "|-", ">+", "| # c | d"][..]);
    (head, select(BLOCK_SCALARS)).prop_map(move |(head, text)| {
        let line = format!("\n{pad}    ");
        format!(" {head}{line}{}", text.replace('\n', &line))
    })
}

/// A list or table in brackets.
fn flow() -> impl Strategy<Value = String> {
    let item = select(SCALARS).prop_filter("no comments, line ends and dashes", |item| {
        !item.starts_with('-') && !item.contains(['\n', '#'])
    });
    (vec(item, 0..4), any::<bool>()).prop_map(|(items, table)| {
        if table {
            let member = |(at, item): (usize, &&str)| format!("k{at}: {item}");
            let members: Vec<_> = items.iter().enumerate().map(member).collect();
            format!(" {{ {} }}", members.join(", "))
        } else {
            let items: Vec<_> = items.into_iter().filter(|item| !item.is_empty()).collect();
            format!(" [{}]", items.join(" , "))
        }
    })
}

fn table(depth: usize, pad: String) -> impl Strategy<Value = String> {
    let members = vec((select(KEYS), block(depth - 1)), 1..4);
    (select(PROPERTIES), members).prop_map(move |(properties, members)| {
        let member = |(key, value): &(&str, String)| match key.starts_with('?') {
            true => format!("{pad}{key}\n{pad}:{value}"),
            false => format!("{pad}{key}:{value}"),
        };
        let lines: Vec<_> = members.iter().map(member).collect();
        format!("{properties}\n{}", lines.join("\n"))
    })
}

/// A list whose dashes stand below the key or to its right.
fn list(depth: usize, pad: String) -> impl Strategy<Value = String> {
    let items = vec(block(depth - 1), 1..4);
    (select(PROPERTIES), items, any::<bool>()).prop_map(move |(properties, items, indented)| {
        let pad = if indented {
            &*pad
        } else {
            pad.get(2..).unwrap_or_default()
        };
        let lines: Vec<_> = items.iter().map(|item| format!("{pad}-{item}")).collect();
        format!("{properties}\n{}", lines.join("\n"))
    })
}

/// Pieces of YAML that are no YAML together.
pub(crate) fn pieces() -> impl Strategy<Value = String> {
    const PIECES: &[&str] = &[
        "a",
        "b",
        ": ",
        ":",
        "- ",
        "-",
        "? ",
        "\n",
        "\n  ",
        "\n    ",
        " ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "&x ",
        "*x",
        "!t ",
        "!!str ",
        "!<a>",
        "|\n",
        ">-\n",
        "|+2\n",
        "'",
        "\"",
        "\\",
        "# c",
        "%YAML 1.2\n",
        "--- ",
        "\n...\n",
        "é",
        "😀",
        "1",
        "null",
        "\t",
        "\r\n",
        "\u{85}",
        "\u{feff}",
        "@",
    ];
    vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}
