//! Rows of the audit log for a spreadsheet.

use axum::body::Bytes;
use wire::{audit::AuditRow, person::Named};

const COLUMNS: [&str; 14] = [
    "id",
    "at",
    "actor",
    "actor_id",
    "agent",
    "agent_id",
    "turn_id",
    "action",
    "subject_kind",
    "subject",
    "subject_id",
    "before_version",
    "after_version",
    "edit_source",
];
const LAST: &str = "address";

pub fn header() -> Bytes {
    line(COLUMNS.into_iter().map(str::to_owned).chain([LAST.to_owned()]))
}

pub fn row(row: &AuditRow) -> Bytes {
    let at = row.at.format(&time::format_description::well_known::Rfc3339).unwrap_or_default();
    let name = |named: &Option<Named>| named.as_ref().map(|named| named.name.clone());
    let id = |named: &Option<Named>| named.as_ref().map(|named| named.id.to_string());
    let cells = [
        Some(row.id.to_string()),
        Some(at),
        name(&row.actor),
        id(&row.actor),
        name(&row.agent),
        id(&row.agent),
        row.turn_id.map(|id| id.to_string()),
        Some(row.action.clone()),
        Some(row.subject.kind.clone()),
        Some(row.subject.name.clone()),
        Some(row.subject.id.to_string()),
        row.before_version.map(|version| version.to_string()),
        row.after_version.map(|version| version.to_string()),
        row.edit_source.map(|source| source.name().to_owned()),
        row.address.clone(),
    ];
    line(cells.into_iter().map(|cell| harmless(cell.unwrap_or_default())))
}

/// Spreadsheets run what begins like a formula: such a cell is marked as text.
fn harmless(cell: String) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) { format!("'{cell}") } else { cell }
}

fn line(cells: impl Iterator<Item = String>) -> Bytes {
    let mut writer = ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Vec::new());
    // writing to memory does not fail
    let written = writer.write_record(cells.map(String::into_bytes));
    written.ok().and_then(|()| writer.into_inner().ok()).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_quotes_stay_inside() {
        for (cell, safe) in [("=1+1", "'=1+1"), ("-2", "'-2"), ("@x", "'@x"), ("\tx", "'\tx"), ("a=b", "a=b")] {
            assert_eq!(harmless(cell.to_owned()), safe);
        }
        let cells = ["a", "b,\"c\"", "d\r\ne"].map(str::to_owned);
        assert_eq!(line(cells.into_iter()), "a,\"b,\"\"c\"\"\",\"d\r\ne\"\r\n");
    }
}
