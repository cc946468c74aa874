//! What a project says about agents' changes.

use sqlx::postgres::PgConnection;
use uuid::Uuid;

use super::known;
use crate::error::{Error, Result};
use crate::record::ReconcileMode;

/// How a project of an organisation takes what agents change.
pub(crate) async fn mode(
    connection: &mut PgConnection,
    organisation_id: Uuid,
    project_id: Uuid,
) -> Result<ReconcileMode> {
    let mode = sqlx::query_scalar!(
        "select reconcile_mode from projects where id = $1 and organisation_id = $2",
        project_id,
        organisation_id
    )
    .fetch_optional(connection)
    .await?
    .ok_or(Error::NotFound("The project"))?;
    known(ReconcileMode::parse(&mode), "projects.reconcile_mode")
}
