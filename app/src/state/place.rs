use leptos::prelude::*;
use leptos_router::hooks::use_location;
use serde::{Deserialize, Serialize};
use wire::record::{ProjectOverview, RecordKind};

use super::loaded::Loaded;
use crate::{
    api::{self, record::RecordDetail},
    live::{Heard, Live},
};

/// The record that an address names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RecordAt {
    pub project: String,
    pub kind: RecordKind,
    pub slug: String,
}

impl RecordAt {
    /// Reads an address such as `/p/reporting/plans/csv-download-button`.
    #[must_use]
    pub fn parse(path: &str) -> Option<RecordAt> {
        let mut parts = path.trim_matches('/').split('/');
        let (root, project, folder, slug) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        if root != "p" || parts.next().is_some() || slug.is_empty() {
            return None;
        }
        Some(RecordAt { project: project.to_owned(), kind: RecordKind::from_folder(folder)?, slug: slug.to_owned() })
    }
}

/// Where the reader is, by the address, and what is shown there. The bars, the page and the drawer share it, so each thing is
/// fetched once.
#[derive(Clone, Copy)]
pub struct Place {
    /// The project's slug.
    pub project: Memo<Option<String>>,
    pub at: Memo<Option<RecordAt>>,
    pub overview: Loaded<String, ProjectOverview>,
    pub record: Loaded<RecordAt, RecordDetail>,
}

impl Place {
    /// Makes the place known to everything below. Called once, beneath the router.
    pub fn provide() -> Place {
        let path = use_location().pathname;
        let project = Memo::new(move |_| {
            path.with(|path| {
                let mut parts = path.trim_matches('/').split('/');
                (parts.next() == Some("p")).then(|| parts.next().map(str::to_owned)).flatten()
            })
        });
        let at = Memo::new(move |_| path.with(|path| RecordAt::parse(path)));
        let overview = Loaded::new(move || project.get(), api::project::overview);
        let record = Loaded::new(move || at.get(), |at: RecordAt| api::record::detail(at.project, at.kind, at.slug));
        let place = Place { project, at, overview, record };
        provide_context(place);
        expect_context::<Live>().on(move |heard| {
            let concerned = match heard {
                Heard::Reset => true,
                Heard::Notice(notice) => matches!(notice.topic.as_str(), "record" | "project" | "proposal"),
            };
            if concerned {
                if project.try_get_untracked().flatten().is_some() {
                    overview.refresh();
                }
                if at.try_get_untracked().flatten().is_some() {
                    record.refresh();
                }
            }
        });
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_name_records() {
        let at = RecordAt::parse("/p/reporting/plans/csv").unwrap();
        assert_eq!((at.project.as_str(), at.kind, at.slug.as_str()), ("reporting", RecordKind::Plan, "csv"));
        for path in [
            "/",
            "/p/reporting",
            "/p/reporting/plans",
            "/p/reporting/plans/",
            "/p/a/cakes/b",
            "/p/a/plans/b/c",
            "/x/a/plans/b",
        ] {
            assert_eq!(RecordAt::parse(path), None, "{path}");
        }
    }
}
