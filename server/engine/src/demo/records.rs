//! What the sample organisation holds.

use wire::record::RecordKind;

/// A record of the sample project.
pub struct Sample {
    pub kind: RecordKind,
    pub title: &'static str,
    pub status: &'static str,
    pub severity: Option<&'static str>,
    /// The title of the record that it hangs under.
    pub parent: Option<&'static str>,
    pub body: &'static str,
}

const CSV_EXPORT: &str = "CSV export on the reporting page";
const CSV_BUTTON: &str = "CSV download button";
const SCHEDULED: &str = "Scheduled reports by e-mail";

/// Parents before their children.
pub const RECORDS: [Sample; 6] = [
    Sample {
        kind: RecordKind::Initiative,
        title: CSV_EXPORT,
        status: "active",
        severity: None,
        parent: None,
        body: include_str!("csv-export.md"),
    },
    Sample {
        kind: RecordKind::Plan,
        title: CSV_BUTTON,
        status: "in progress",
        severity: None,
        parent: Some(CSV_EXPORT),
        body: include_str!("csv-download-button.md"),
    },
    Sample {
        kind: RecordKind::Bug,
        title: "Umlauts are broken when Excel opens the file",
        status: "open",
        severity: Some("high"),
        parent: Some(CSV_BUTTON),
        body: include_str!("umlauts.md"),
    },
    Sample {
        kind: RecordKind::Initiative,
        title: SCHEDULED,
        status: "draft",
        severity: None,
        parent: None,
        body: include_str!("scheduled-reports.md"),
    },
    Sample {
        kind: RecordKind::Plan,
        title: "Weekly digest of saved reports",
        status: "draft",
        severity: None,
        parent: Some(SCHEDULED),
        body: include_str!("weekly-digest.md"),
    },
    Sample {
        kind: RecordKind::Plan,
        title: "Unsubscribe link in every mail",
        status: "ready",
        severity: None,
        parent: Some(SCHEDULED),
        body: include_str!("unsubscribe.md"),
    },
];
