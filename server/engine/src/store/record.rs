//! Records as they are now.

use std::collections::HashMap;

use sqlx::postgres::PgConnection;
use sqlx::types::Json;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::person::Named;
use wire::record::{BoardCard, JumpHit, Record, RecordKind, RecordLine};

use super::known;
use crate::error::Result;
use crate::record::Content;
use crate::text::storable;

/// A record with the organisation that it belongs to.
#[derive(Clone, Debug)]
pub(crate) struct Stored {
    pub organisation_id: Uuid,
    pub record: Record,
}

struct Row {
    id: Uuid,
    organisation_id: Uuid,
    project_id: Uuid,
    kind: String,
    parent_id: Option<Uuid>,
    slug: String,
    title: String,
    status: String,
    severity: Option<String>,
    body: String,
    version: i32,
    owner_id: Uuid,
    owner: String,
    updated_at: OffsetDateTime,
}

impl Row {
    fn stored(self) -> Result<Stored> {
        Ok(Stored {
            organisation_id: self.organisation_id,
            record: Record {
                id: self.id,
                kind: known(RecordKind::parse(&self.kind), "records.kind")?,
                project_id: self.project_id,
                parent_id: self.parent_id,
                slug: self.slug,
                title: self.title,
                status: self.status,
                severity: self.severity,
                body: self.body,
                version: self.version,
                owner: Named { id: self.owner_id, name: self.owner },
                updated_at: self.updated_at,
            },
        })
    }

    fn record(self) -> Result<Record> {
        Ok(self.stored()?.record)
    }
}

macro_rules! records {
    ($tail:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            Row,
            "select r.id, r.organisation_id, r.project_id, r.kind, r.parent_id, r.slug, r.title, r.status, r.severity, r.body,
               r.version, r.owner_id, p.name as owner, r.updated_at
             from records r join people p on p.id = r.owner_id " + $tail,
            $($argument),+
        )
    };
}

pub(crate) async fn find(connection: &mut PgConnection, id: Uuid) -> Result<Option<Stored>> {
    let found = records!("where r.id = $1", id).fetch_optional(connection).await?;
    found.map(Row::stored).transpose()
}

/// As [`find`], and nobody else changes the record until the transaction ends.
pub(crate) async fn lock(connection: &mut PgConnection, id: Uuid) -> Result<Option<Stored>> {
    let found = records!("where r.id = $1 for update of r", id).fetch_optional(connection).await?;
    found.map(Row::stored).transpose()
}

pub(crate) async fn by_slug(
    connection: &mut PgConnection,
    project_id: Uuid,
    kind: RecordKind,
    slug: &str,
) -> Result<Option<Record>> {
    let found =
        records!("where r.project_id = $1 and r.kind = $2 and r.slug = $3", project_id, kind.name(), &*storable(slug))
            .fetch_optional(connection)
            .await?;
    found.map(Row::record).transpose()
}

/// A record to add.
pub(crate) struct NewRow<'a> {
    pub id: Uuid,
    pub organisation_id: Uuid,
    pub project_id: Uuid,
    pub kind: RecordKind,
    pub parent_id: Option<Uuid>,
    pub slug: &'a str,
    pub content: &'a Content,
    pub owner_id: Uuid,
}

/// Adds a record unless its slug is taken; says whether it did.
pub(crate) async fn insert(connection: &mut PgConnection, new: &NewRow<'_>, now: OffsetDateTime) -> Result<bool> {
    let done = sqlx::query!(
        "insert into records (id, organisation_id, project_id, kind, parent_id, slug, title, status, severity, body, version, owner_id, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12, $12) on conflict (project_id, kind, slug) do nothing",
        new.id,
        new.organisation_id,
        new.project_id,
        new.kind.name(),
        new.parent_id,
        new.slug,
        new.content.title,
        new.content.status,
        new.content.severity,
        new.content.body,
        new.owner_id,
        now
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Slugs that are `slug` or `slug` with something after a hyphen.
pub(crate) async fn slugs(
    connection: &mut PgConnection,
    project_id: Uuid,
    kind: RecordKind,
    slug: &str,
) -> Result<Vec<String>> {
    let taken = sqlx::query_scalar!(
        "select slug from records where project_id = $1 and kind = $2 and (slug = $3 or starts_with(slug, $3 || '-'))",
        project_id,
        kind.name(),
        slug
    )
    .fetch_all(connection)
    .await?;
    Ok(taken)
}

/// Writes what the newest version holds.
pub(crate) async fn update(
    connection: &mut PgConnection,
    id: Uuid,
    version: i32,
    content: &Content,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "update records set title = $2, status = $3, severity = $4, body = $5, version = $6, updated_at = $7 where id = $1",
        id,
        content.title,
        content.status,
        content.severity,
        content.body,
        version,
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// What a list looks for. `web` is what the person typed, `prefix` the same as the beginnings of words.
pub(crate) struct Wanted<'a> {
    pub project_id: Uuid,
    pub kind: Option<RecordKind>,
    pub status: Option<&'a str>,
    pub parent_id: Option<Uuid>,
    pub web: Option<&'a str>,
    pub prefix: Option<&'a str>,
}

/// A place in the order of lists: when a record was changed, and its id.
pub(crate) type Place = (OffsetDateTime, Uuid);

/// At most `limit` records changed before a place, or the newest; the newest first.
pub(crate) async fn older(
    connection: &mut PgConnection,
    wanted: &Wanted<'_>,
    place: Option<Place>,
    limit: i64,
) -> Result<Vec<Record>> {
    let rows = records!(
        "where r.project_id = $1 and ($2::text is null or r.kind = $2) and ($3::text is null or r.status = $3)
           and ($4::uuid is null or r.parent_id = $4)
           and ($5::text is null or r.words @@ websearch_to_tsquery('simple', $5) or r.words @@ to_tsquery('simple', $6))
           and ($7::timestamptz is null or (r.updated_at, r.id) < ($7, $8::uuid))
         order by r.updated_at desc, r.id desc limit $9",
        wanted.project_id,
        wanted.kind.map(RecordKind::name),
        wanted.status,
        wanted.parent_id,
        wanted.web,
        wanted.prefix,
        place.map(|(at, _)| at),
        place.map(|(_, id)| id),
        limit
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::record).collect()
}

/// At most `limit` records changed after a place; the oldest first.
pub(crate) async fn newer(
    connection: &mut PgConnection,
    wanted: &Wanted<'_>,
    (at, id): Place,
    limit: i64,
) -> Result<Vec<Record>> {
    let rows = records!(
        "where r.project_id = $1 and ($2::text is null or r.kind = $2) and ($3::text is null or r.status = $3)
           and ($4::uuid is null or r.parent_id = $4)
           and ($5::text is null or r.words @@ websearch_to_tsquery('simple', $5) or r.words @@ to_tsquery('simple', $6))
           and (r.updated_at, r.id) > ($7, $8::uuid)
         order by r.updated_at, r.id limit $9",
        wanted.project_id,
        wanted.kind.map(RecordKind::name),
        wanted.status,
        wanted.parent_id,
        wanted.web,
        wanted.prefix,
        at,
        id,
        limit
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Row::record).collect()
}

/// The initiatives of a project in the order of their statuses, each with the count of its plans by status.
pub(crate) async fn board(connection: &mut PgConnection, project_id: Uuid) -> Result<Vec<BoardCard>> {
    let statuses: Vec<String> = RecordKind::Initiative.statuses().iter().map(|status| (*status).to_owned()).collect();
    let rows = sqlx::query!(
        r#"select r.id, r.organisation_id, r.project_id, r.kind, r.parent_id, r.slug, r.title, r.status, r.severity, r.body,
             r.version, r.owner_id, p.name as owner, r.updated_at, plans.counts as "counts?: Json<HashMap<String, i64>>"
           from records r join people p on p.id = r.owner_id
           left join (
             select parent_id, jsonb_object_agg(status, number) as counts
             from (select parent_id, status, count(*) as number from records where project_id = $1 and kind = 'plan' group by parent_id, status) of
             group by parent_id
           ) plans on plans.parent_id = r.id
           where r.project_id = $1 and r.kind = 'initiative'
           order by array_position($2::text[], r.status), r.updated_at desc, r.id desc"#,
        project_id,
        &statuses
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            let mut counts = row.counts.map(|Json(counts)| counts).unwrap_or_default();
            let plans = RecordKind::Plan
                .statuses()
                .iter()
                .filter_map(|status| counts.remove(*status).map(|number| ((*status).to_owned(), number)))
                .collect();
            let record = Row {
                id: row.id,
                organisation_id: row.organisation_id,
                project_id: row.project_id,
                kind: row.kind,
                parent_id: row.parent_id,
                slug: row.slug,
                title: row.title,
                status: row.status,
                severity: row.severity,
                body: row.body,
                version: row.version,
                owner_id: row.owner_id,
                owner: row.owner,
                updated_at: row.updated_at,
            }
            .record()?;
            Ok(BoardCard { record, plans })
        })
        .collect()
}

struct Line {
    id: Uuid,
    kind: String,
    slug: String,
    title: String,
    status: String,
    severity: Option<String>,
    updated_at: OffsetDateTime,
}

impl Line {
    fn line(self) -> Result<RecordLine> {
        Ok(RecordLine {
            id: self.id,
            kind: known(RecordKind::parse(&self.kind), "records.kind")?,
            slug: self.slug,
            title: self.title,
            status: self.status,
            severity: self.severity,
            updated_at: self.updated_at,
        })
    }
}

macro_rules! lines {
    ($tail:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            Line,
            "select r.id, r.kind, r.slug, r.title, r.status, r.severity, r.updated_at from records r " + $tail,
            $($argument),+
        )
    };
}

/// At most `limit` records of a kind, those changed last first.
pub(crate) async fn of_kind(
    connection: &mut PgConnection,
    project_id: Uuid,
    kind: RecordKind,
    limit: i64,
) -> Result<Vec<RecordLine>> {
    let rows = lines!(
        "where r.project_id = $1 and r.kind = $2 order by r.updated_at desc, r.id desc limit $3",
        project_id,
        kind.name(),
        limit
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Line::line).collect()
}

/// What hangs under a record, in the order it was made.
pub(crate) async fn children(connection: &mut PgConnection, parent_id: Uuid) -> Result<Vec<RecordLine>> {
    let rows = lines!("where r.parent_id = $1 order by r.created_at, r.id", parent_id).fetch_all(connection).await?;
    rows.into_iter().map(Line::line).collect()
}

/// What hangs under what hangs under a record: the bugs of an initiative's plans.
pub(crate) async fn grandchildren(connection: &mut PgConnection, id: Uuid) -> Result<Vec<RecordLine>> {
    let rows = lines!(
        "join records parent on parent.id = r.parent_id where parent.parent_id = $1 order by r.created_at, r.id",
        id
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Line::line).collect()
}

/// What a record hangs under, from the top down.
pub(crate) async fn ancestors(connection: &mut PgConnection, id: Uuid) -> Result<Vec<RecordLine>> {
    let rows = lines!(
        "join (select b.parent_id as near, a.parent_id as far from records b left join records a on a.id = b.parent_id where b.id = $1) of
         on r.id = of.near or r.id = of.far order by r.id = of.near",
        id
    )
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(Line::line).collect()
}

/// What the palette offers: projects and records of the organisation and chats of the person, those whose title begins with what
/// was typed first, then those whose title has the words, then the others. Without words: what changed last.
pub(crate) async fn jump(
    connection: &mut PgConnection,
    (organisation_id, person_id): (Uuid, Uuid),
    typed: &str,
    prefix: Option<&str>,
    limit: i64,
) -> Result<Vec<JumpHit>> {
    let rows = sqlx::query!(
        r#"select kind as "kind!", title as "title!", project as "project!", project_slug as "project_slug!", parent, record_kind, record_slug, chat_id
           from (
             select 'project' as kind, p.name as title, '' as project, p.slug as project_slug, null as parent,
               null as record_kind, null as record_slug, null::uuid as chat_id, p.created_at as at, true as in_title
             from projects p
             where p.organisation_id = $1 and ($4::text is null or to_tsvector('simple', p.name) @@ to_tsquery('simple', $4))
             union all
             select r.kind, r.title, p.name, p.slug, parent.title, r.kind, r.slug, null, r.updated_at,
               $4::text is null or to_tsvector('simple', r.title) @@ to_tsquery('simple', $4)
             from records r join projects p on p.id = r.project_id left join records parent on parent.id = r.parent_id
             where r.organisation_id = $1 and p.organisation_id = $1
               and ($4::text is null or r.words @@ to_tsquery('simple', $4) or r.words @@ websearch_to_tsquery('simple', $3))
             union all
             select 'chat', c.name, p.name, p.slug, r.title, r.kind, r.slug, c.id, c.active_at, true
             from chats c join projects p on p.id = c.project_id left join records r on r.id = c.record_id
             where c.organisation_id = $1 and c.owner_id = $2 and c.ended_at is null
               and ($4::text is null or to_tsvector('simple', c.name) @@ to_tsquery('simple', $4))
           ) hits
           order by starts_with(lower(title), lower($3)) desc, in_title desc, at desc, title limit $5"#,
        organisation_id,
        person_id,
        typed,
        prefix,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let record = row.record_kind.as_deref().and_then(RecordKind::parse).zip(row.record_slug.as_deref());
            let context: Vec<&str> = [row.project.as_str(), row.parent.as_deref().unwrap_or("")]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            JumpHit {
                href: super::href(&row.project_slug, record, row.chat_id),
                context: context.join(" · "),
                kind: row.kind,
                title: row.title,
            }
        })
        .collect())
}
