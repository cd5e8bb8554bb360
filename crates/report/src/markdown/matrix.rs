//! `muster list --by server` as Markdown.

use muster_document::code;

use super::plain;
use crate::matrix::{Matrix, Row, mark};
use crate::name::name;
use crate::standing::Standing;
use crate::target::target;
use crate::{Detail, Survey, VERSION};

/// Everything `survey` found, one row for each server.
pub(crate) fn matrix(survey: &Survey<'_>, detail: Detail) -> String {
    let matrix = Matrix::new(survey);
    let mut text = format!("## MCP servers in {}\n\n", code(&survey.here()));
    text.push_str(&format!(
        "{} session · muster {VERSION}\n",
        survey.mode.word()
    ));
    let rows: Vec<&Row<'_>> = matrix.rows.iter().filter(|row| row.shows(detail)).collect();
    if !rows.is_empty() {
        let titles = matrix.columns.iter().map(|column| plain(column.name));
        let titles: Vec<String> = ["server".to_owned()]
            .into_iter()
            .chain(titles)
            .chain(["starts or reaches".to_owned()])
            .collect();
        text.push_str(&format!("\n{}", line(&titles)));
        text.push_str(&format!("|{}\n", "---|".repeat(titles.len())));
        for row in rows {
            text.push_str(&line(&cells(row)));
        }
    }
    if !matrix.others.is_empty() {
        let names: Vec<&str> = matrix.others.iter().map(|other| other.name).collect();
        text.push_str(&format!("\nNothing configured: {}\n", names.join(", ")));
    }
    text
}

fn cells(row: &Row<'_>) -> Vec<String> {
    let names: Vec<String> = row.names.iter().map(|one| plain(&name(one))).collect();
    let cells = row.cells.iter().map(|cell| match cell.best() {
        None => String::new(),
        Some(server) => {
            let (symbol, word) = mark(Standing::of(server.status));
            let own = server.definition.name.as_str();
            let named = match row.names.first() {
                Some(first) if *first != own => format!(" as {}", plain(&name(own))),
                _ => String::new(),
            };
            format!("{symbol} {word}{named}")
        }
    });
    let target = target(row.entry);
    let target = if target.is_empty() {
        String::new()
    } else {
        code(&target)
    };
    [names.join(", ")]
        .into_iter()
        .chain(cells)
        .chain([target])
        .collect()
}

fn line(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}
