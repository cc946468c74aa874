//! What changed, for every open page of an organisation: ids only.
//!
//! A notice is read only once no transaction that began before its own is still open, so a cursor never passes one that commits
//! later. No lock is taken for that; a transaction that stays open holds newer notices back until it ends, at most the 30 s after
//! which Postgres ends it.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::event::Notice;

use crate::error::Result;

/// A notice to append.
#[derive(Clone, Debug)]
pub struct NewNotice {
    pub organisation_id: Uuid,
    /// Absent: for everyone of the organisation; else for this person and those who may read any chat.
    pub owner_id: Option<Uuid>,
    pub topic: &'static str,
    pub subject_id: Uuid,
    pub kind: &'static str,
    pub project_id: Option<Uuid>,
    pub record_id: Option<Uuid>,
    pub chat_id: Option<Uuid>,
}

/// A place in the order of notices: the transaction and the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    pub xid: u64,
    pub id: i64,
}

impl Cursor {
    /// Reads `xid-id`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Cursor> {
        let (xid, id) = text.split_once('-')?;
        Some(Cursor { xid: xid.parse().ok()?, id: id.parse().ok()? })
    }
}

impl std::fmt::Display for Cursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.xid, self.id)
    }
}

/// A notice with its place and the person it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    pub cursor: Cursor,
    pub owner_id: Option<Uuid>,
    pub notice: Notice,
}

pub(crate) async fn append(connection: &mut PgConnection, notice: &NewNotice, now: OffsetDateTime) -> Result<()> {
    sqlx::query!(
        "insert into notices (organisation_id, owner_id, topic, subject_id, kind, project_id, record_id, chat_id, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        notice.organisation_id,
        notice.owner_id,
        notice.topic,
        notice.subject_id,
        notice.kind,
        notice.project_id,
        notice.record_id,
        notice.chat_id,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// At most `limit` notices after a cursor, in the order of commits.
pub(crate) async fn after(
    connection: &mut PgConnection,
    organisation_id: Uuid,
    cursor: Cursor,
    limit: i64,
) -> Result<Vec<Placed>> {
    let rows = sqlx::query!(
        r#"select at_xid::text as "xid!", id, owner_id, topic, subject_id, kind, project_id, record_id, chat_id
           from notices
           where organisation_id = $1 and (at_xid, id) > ($2::text::xid8, $3) and at_xid < pg_snapshot_xmin(pg_current_snapshot())
           order by at_xid, id limit $4"#,
        organisation_id,
        cursor.xid.to_string(),
        cursor.id,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| Placed {
            cursor: Cursor { xid: row.xid.parse().unwrap_or(0), id: row.id },
            owner_id: row.owner_id,
            notice: Notice {
                topic: row.topic,
                id: row.subject_id,
                kind: row.kind,
                project_id: row.project_id,
                record_id: row.record_id,
                chat_id: row.chat_id,
            },
        })
        .collect())
}

/// The place behind which everything is still to come, and the oldest place that is still kept.
pub(crate) async fn bounds(connection: &mut PgConnection, organisation_id: Uuid) -> Result<(Cursor, Option<Cursor>)> {
    let row = sqlx::query!(
        r#"select (pg_snapshot_xmin(pg_current_snapshot()))::text as "xmin!",
             (select at_xid::text from notices where organisation_id = $1 order by at_xid, id limit 1) as "oldest_xid",
             (select id from notices where organisation_id = $1 order by at_xid, id limit 1) as "oldest_id""#,
        organisation_id
    )
    .fetch_one(connection)
    .await?;
    let newest = Cursor { xid: row.xmin.parse::<u64>().unwrap_or(1).saturating_sub(1), id: i64::MAX };
    let oldest = row.oldest_xid.and_then(|xid| xid.parse().ok()).zip(row.oldest_id).map(|(xid, id)| Cursor { xid, id });
    Ok((newest, oldest))
}
