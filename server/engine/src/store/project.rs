//! Projects.

use sqlx::postgres::PgConnection;
use uuid::Uuid;
use wire::record::Project;

use crate::error::Result;
use crate::text::storable;

/// Adds a project unless its slug is taken; says whether it did.
pub(crate) async fn insert(connection: &mut PgConnection, organisation_id: Uuid, new: &Project) -> Result<bool> {
    let done = sqlx::query!(
        "insert into projects (id, organisation_id, name, slug, description, created_at) values ($1, $2, $3, $4, $5, $6)
         on conflict (organisation_id, slug) do nothing",
        new.id,
        organisation_id,
        new.name,
        new.slug,
        new.description,
        new.created_at
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Slugs that are `slug` or `slug` with something after a hyphen.
pub(crate) async fn slugs(connection: &mut PgConnection, organisation_id: Uuid, slug: &str) -> Result<Vec<String>> {
    let taken = sqlx::query_scalar!(
        "select slug from projects where organisation_id = $1 and (slug = $2 or starts_with(slug, $2 || '-'))",
        organisation_id,
        slug
    )
    .fetch_all(connection)
    .await?;
    Ok(taken)
}

pub(crate) async fn list(connection: &mut PgConnection, organisation_id: Uuid) -> Result<Vec<Project>> {
    let projects = sqlx::query_as!(
        Project,
        "select id, name, slug, description, created_at from projects where organisation_id = $1 order by lower(name), id",
        organisation_id
    )
    .fetch_all(connection)
    .await?;
    Ok(projects)
}

pub(crate) async fn find(connection: &mut PgConnection, organisation_id: Uuid, id: Uuid) -> Result<Option<Project>> {
    let found = sqlx::query_as!(
        Project,
        "select id, name, slug, description, created_at from projects where organisation_id = $1 and id = $2",
        organisation_id,
        id
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}

pub(crate) async fn by_slug(
    connection: &mut PgConnection,
    organisation_id: Uuid,
    slug: &str,
) -> Result<Option<Project>> {
    let found = sqlx::query_as!(
        Project,
        "select id, name, slug, description, created_at from projects where organisation_id = $1 and slug = $2",
        organisation_id,
        &*storable(slug)
    )
    .fetch_optional(connection)
    .await?;
    Ok(found)
}
