//! From the matrix of servers and harnesses to its view.

use super::{ByServer, DefinedIn, List, Origin, command, url};
use crate::Survey;
use crate::matrix::{Matrix, Row};

impl<'a> List<'a> {
    /// The view of everything `survey` found, with its servers across harnesses.
    pub(crate) fn by_server(survey: &Survey<'a>) -> List<'a> {
        let matrix = Matrix::new(survey);
        let others: Vec<&'static str> = matrix.others.iter().map(|other| other.id).collect();
        List {
            by_server: Some(
                matrix
                    .rows
                    .iter()
                    .map(|row| ByServer::new(&matrix, row, &others))
                    .collect(),
            ),
            ..List::new(survey)
        }
    }
}

impl<'a> ByServer<'a> {
    fn new(matrix: &Matrix<'a>, row: &Row<'a>, others: &[&'static str]) -> ByServer<'a> {
        let mut view = ByServer {
            names: row.names.clone(),
            command: command(row.entry).map(|words| words.into_iter().map(String::from).collect()),
            url: url(row.entry).map(String::from),
            loads_in: Vec::new(),
            not_loaded_in: Vec::new(),
            unknown_to: Vec::new(),
            definitions: Vec::new(),
        };
        for (resolution, cell) in matrix.columns.iter().zip(&row.cells) {
            let place = match (cell.servers.is_empty(), cell.loads()) {
                (true, _) => &mut view.unknown_to,
                (false, true) => &mut view.loads_in,
                (false, false) => &mut view.not_loaded_in,
            };
            place.push(resolution.id);
            let definitions = cell.servers.iter().map(|server| DefinedIn {
                harness: resolution.id,
                name: &server.definition.name,
                loads: server.status.loads(),
                status: server.status.into(),
                scope: server.definition.scope.into(),
                origin: Origin::of(server.definition.place.as_ref()),
            });
            view.definitions.extend(definitions);
        }
        view.unknown_to.extend(others);
        view
    }
}
