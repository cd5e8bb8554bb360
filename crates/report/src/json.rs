//! JSON: exact for programs, harmless on a terminal.

use std::io;

use muster_document::Shown;
use serde::Serialize;
use serde_json::ser::Formatter;

/// `view` as indented JSON with a final line end.
pub(crate) fn write(view: &impl Serialize) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Harmless::default());
    // Views hold strings, numbers, lists and structs: writing them to memory has no way to fail.
    let _ = view.serialize(&mut serializer);
    bytes.push(b'\n');
    String::from_utf8(bytes).unwrap_or_default()
}

/// Indents, and escapes every character that [`Shown`] would not print as it is: a program reads the same string, a terminal sees no
/// override and no invisible character.
#[derive(Default)]
struct Harmless {
    /// How many lists and objects are open.
    depth: usize,
    /// Whether the innermost of them had something in it when it was closed or added to last.
    filled: bool,
}

/// A comma, a line end and the indentation of [`LEVELS`].
const NEXT: &[u8] = b",\n                                ";
const LEVELS: usize = 16;

impl Harmless {
    fn open<W: ?Sized + io::Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        writer.write_all(bracket)
    }

    fn close<W: ?Sized + io::Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.filled {
            self.line(writer, true)?;
        }
        self.filled = true;
        writer.write_all(bracket)
    }

    /// Begins a line, behind a comma unless what comes is the first of its kind. One write for both: there are many lines.
    fn line<W: ?Sized + io::Write>(&self, writer: &mut W, first: bool) -> io::Result<()> {
        let levels = self.depth.min(LEVELS);
        let line = NEXT.get(usize::from(first)..2 + 2 * levels);
        writer.write_all(line.unwrap_or_default())?;
        (levels..self.depth).try_for_each(|_| writer.write_all(b"  "))
    }
}

impl Formatter for Harmless {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // All bytes are looked at, many at a time: nearly always none is odd.
        let visible = |plain, byte: u8| plain & (b' '..0x7f).contains(&byte);
        if fragment.bytes().fold(true, visible) {
            return writer.write_all(fragment.as_bytes());
        }
        for character in fragment.chars() {
            let mut buffer = [0; 4];
            let text: &str = character.encode_utf8(&mut buffer);
            if character.is_ascii_graphic() || character == ' ' || Shown(text).to_string() == text {
                writer.write_all(text.as_bytes())?;
            } else {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }

    fn begin_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"[")
    }

    fn end_array<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"]")
    }

    fn begin_array_value<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.line(writer, first)
    }

    fn end_array_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.open(writer, b"{")
    }

    fn end_object<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.close(writer, b"}")
    }

    fn begin_object_key<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.line(writer, first)
    }

    fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: ?Sized + io::Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_indented_as_everybody_does() {
        let mut deep = serde_json::json!([]);
        for level in 0..20 {
            deep = serde_json::json!({"level": level, "below": [deep, {}, "two\nlines"]});
        }
        assert_eq!(
            write(&deep),
            serde_json::to_string_pretty(&deep).unwrap() + "\n"
        );
    }
}
