//! The records that a chat's workspace holds.

use sqlx::postgres::PgConnection;
use uuid::Uuid;
use wire::record::RecordKind;

use crate::error::Result;
use crate::record::Content;
use crate::tool::RelatedRecord;
use crate::workspace::{Anchor, RecordFile};

/// Most records that are written out.
const MOST: i64 = 5_000;

/// The records for a chat's workspace as they are now: its anchor, the anchor's parent and all beneath; for a chat that is about no
/// record, those of the project, the latest first.
pub(crate) async fn records(
    connection: &mut PgConnection,
    project_id: Uuid,
    anchor_id: Option<Uuid>,
) -> Result<(Option<Anchor>, Vec<RecordFile>)> {
    let rows = sqlx::query!(
        r#"with recursive beneath as (
             select id from records where id = $2 and project_id = $1
             union all
             select r.id from records r join beneath b on r.parent_id = b.id
           )
           select r.id as "id!", r.kind as "kind!", r.slug as "slug!", r.parent_id, r.version as "version!", r.title as "title!",
             r.status as "status!", r.severity, r.body as "body!"
           from records r
           where r.project_id = $1 and ($2::uuid is null or r.id in (select id from beneath)
             or r.id = (select parent_id from records where id = $2))
           order by (r.id = $2) is true desc, r.updated_at desc, r.id limit $3"#,
        project_id,
        anchor_id,
        MOST
    )
    .fetch_all(connection)
    .await?;
    let records: Vec<RecordFile> = rows
        .into_iter()
        .filter_map(|row| {
            Some(RecordFile {
                id: row.id,
                kind: RecordKind::parse(&row.kind)?,
                slug: row.slug,
                parent_id: row.parent_id,
                version: row.version,
                content: Content { title: row.title, status: row.status, severity: row.severity, body: row.body },
            })
        })
        .collect();
    let anchor = anchor_id.and_then(|id| records.iter().find(|record| record.id == id));
    let anchor = anchor.map(|record| Anchor { id: record.id, kind: record.kind, parent_id: record.parent_id });
    Ok((anchor, records))
}

/// Most related records that are given.
const MOST_RELATED: i64 = 50;

/// Records of the project, the nearest to the anchor first: itself, its parent, its children, its siblings, then the rest by their last
/// change. With a query, those whose title or body has its words.
pub(crate) async fn related(
    connection: &mut PgConnection,
    project_id: Uuid,
    anchor_id: Option<Uuid>,
    query: Option<&str>,
) -> Result<Vec<RelatedRecord>> {
    let rows = sqlx::query!(
        r#"with anchor as (select id, parent_id from records where id = $2 and project_id = $1)
           select r.id, r.kind, r.title, r.status, r.severity, r.parent_id, r.body
           from records r left join anchor a on true
           where r.project_id = $1 and ($3::text is null or r.words @@ websearch_to_tsquery('simple', $3))
           order by case when r.id = a.id then 0 when r.id = a.parent_id then 1 when r.parent_id = a.id then 2
             when r.parent_id = a.parent_id then 3 else 4 end, r.updated_at desc, r.id
           limit $4"#,
        project_id,
        anchor_id,
        query,
        MOST_RELATED
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .filter_map(|row| {
            Some(RelatedRecord {
                id: row.id,
                kind: RecordKind::parse(&row.kind)?,
                title: row.title,
                status: row.status,
                severity: row.severity,
                parent_id: row.parent_id,
                body: row.body,
            })
        })
        .collect())
}
