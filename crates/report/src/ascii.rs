//! Muster's own symbols for screens that show ASCII alone.

/// `text` with every character that Muster itself writes in ASCII, one column for one column; foreign text stays as it is. This comes
/// after the last writer, which writes symbols too.
pub(crate) fn fold(text: &str) -> String {
    text.chars().map(stand_in).collect()
}

fn stand_in(character: char) -> char {
    match character {
        '●' | '•' => '*',
        '◌' => '~',
        '○' | '·' | '—' => '-',
        '✗' => 'x',
        '│' => '|',
        '…' => '.',
        other => other,
    }
}
