//! From the matrix of servers and harnesses to its view.

use super::{ByServer, DefinedIn, List, Origin, command, url};
use crate::Survey;
use crate::matrix::{Matrix, Row};

impl List {
    /// The view of everything `survey` found, with its servers across harnesses.
    pub(crate) fn by_server(survey: &Survey<'_>) -> List {
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

impl ByServer {
    fn new(matrix: &Matrix<'_>, row: &Row<'_>, others: &[&'static str]) -> ByServer {
        let mut view = ByServer {
            names: row.names.iter().map(|name| (*name).to_owned()).collect(),
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
                name: server.definition.name.clone(),
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
