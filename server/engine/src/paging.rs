//! Pages by key: a cursor names a place in an order, so that a page is found as fast at the end of a list as at its start, and rows
//! that come or go meanwhile shift nothing.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::page::{Page, Paging};

use crate::error::{Error, Result};

/// A place in an order, as text inside a cursor.
pub(crate) trait Place: Sized {
    fn write(&self) -> String;
    fn read(text: &str) -> Option<Self>;
}

impl Place for i64 {
    fn write(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<i64> {
        text.parse().ok()
    }
}

impl Place for i32 {
    fn write(&self) -> String {
        self.to_string()
    }

    fn read(text: &str) -> Option<i32> {
        text.parse().ok()
    }
}

impl Place for Uuid {
    fn write(&self) -> String {
        self.simple().to_string()
    }

    fn read(text: &str) -> Option<Uuid> {
        Uuid::try_parse(text).ok()
    }
}

/// A time to the microsecond, then an id.
impl Place for (OffsetDateTime, Uuid) {
    fn write(&self) -> String {
        format!("{}.{}", self.0.unix_timestamp_nanos() / 1_000, self.1.simple())
    }

    fn read(text: &str) -> Option<(OffsetDateTime, Uuid)> {
        let (micros, id) = text.split_once('.')?;
        let nanos = micros.parse::<i128>().ok()?.checked_mul(1_000)?;
        Some((OffsetDateTime::from_unix_timestamp_nanos(nanos).ok()?, Uuid::try_parse(id).ok()?))
    }
}

/// Which page of a list, newest first, is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted<P> {
    Newest,
    /// What is older than a place.
    Before(P),
    /// What is newer than a place.
    After(P),
}

/// Reads the cursors of a request.
///
/// # Errors
/// When one is not a cursor of this list, or both are named.
pub(crate) fn wanted<P: Place>(paging: &Paging) -> Result<Wanted<P>> {
    match (&paging.before, &paging.after) {
        (None, None) => Ok(Wanted::Newest),
        (Some(cursor), None) => Ok(Wanted::Before(read(cursor)?)),
        (None, Some(cursor)) => Ok(Wanted::After(read(cursor)?)),
        (Some(_), Some(_)) => Err(Error::invalid("cursor", "Name either before or after, not both.")),
    }
}

fn read<P: Place>(cursor: &str) -> Result<P> {
    URL_SAFE_NO_PAD
        .decode(cursor)
        .ok()
        .and_then(|bytes| P::read(std::str::from_utf8(&bytes).ok()?))
        .ok_or_else(|| Error::invalid("cursor", "This cursor is not one of this list. Begin without one."))
}

fn cursor<P: Place>(place: &P) -> String {
    URL_SAFE_NO_PAD.encode(place.write())
}

/// Makes a page, newest first, of what was read in the wanted direction: one row more than `rows` says that there is more.
pub(crate) fn page<T, P: Place>(mut read: Vec<T>, rows: i64, wanted: &Wanted<P>, place: impl Fn(&T) -> P) -> Page<T> {
    let rows = usize::try_from(rows).unwrap_or(usize::MAX);
    let more = read.len() > rows;
    read.truncate(rows);
    let (older, newer) = match wanted {
        Wanted::Newest => (more, false),
        Wanted::Before(_) => (more, true),
        Wanted::After(_) => {
            read.reverse();
            (true, more)
        }
    };
    let before = read.last().filter(|_| older).map(|last| cursor(&place(last)));
    let after = read.first().filter(|_| newer).map(|first| cursor(&place(first)));
    Page { items: read, before, after }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(all: &[i64], paging: &Paging) -> Page<i64> {
        let wanted = wanted::<i64>(paging).unwrap();
        let more = usize::try_from(paging.rows() + 1).unwrap();
        let read: Vec<i64> = match wanted {
            Wanted::Newest => all.iter().rev().copied().take(more).collect(),
            Wanted::Before(place) => all.iter().rev().copied().filter(|at| *at < place).take(more).collect(),
            Wanted::After(place) => all.iter().copied().filter(|at| *at > place).take(more).collect(),
        };
        page(read, paging.rows(), &wanted, |at| *at)
    }

    #[test]
    fn back_and_forth_through_a_list() {
        let all: Vec<i64> = (1..=5).collect();
        let paging = |before: Option<String>, after: Option<String>| Paging { limit: Some(2), before, after };
        let first = list(&all, &paging(None, None));
        assert_eq!((first.items.as_slice(), first.after.is_none()), ([5, 4].as_slice(), true));
        let second = list(&all, &paging(first.before, None));
        assert_eq!(second.items, [3, 2]);
        let third = list(&all, &paging(second.before, None));
        assert_eq!((third.items.as_slice(), third.before.is_none()), ([1].as_slice(), true));
        let back = list(&all, &paging(None, third.after));
        assert_eq!(back.items, [3, 2]);
        let first = list(&all, &paging(None, back.after));
        assert_eq!((first.items.as_slice(), first.after.is_none()), ([5, 4].as_slice(), true));
    }

    #[test]
    fn what_is_no_cursor_is_refused() {
        for cursor in ["", "5", "%", "bm9uc2Vuc2U", "AAAA", "ÿ"] {
            let paging = Paging { before: Some(cursor.to_owned()), ..Paging::default() };
            assert!(wanted::<(OffsetDateTime, Uuid)>(&paging).is_err(), "{cursor}");
        }
        let both = Paging { limit: None, before: Some("MQ".into()), after: Some("MQ".into()) };
        assert!(wanted::<i64>(&both).is_err());
    }

    #[test]
    fn places_are_read_as_written() {
        let place = (OffsetDateTime::from_unix_timestamp_nanos(1_700_000_000_123_456_000).unwrap(), Uuid::from_u128(7));
        assert_eq!(Place::read(&place.write()), Some(place));
        assert_eq!(<(OffsetDateTime, Uuid)>::read("99999999999999999999999999.0"), None);
    }
}
