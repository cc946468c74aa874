use wire::access::Scope;
use wire::record::{NewProject, Project};

use crate::access::{Actor, Target, may};
use crate::error::{Error, Result};
use crate::person::name::name;
use crate::record::slug;
use crate::store::audit::Entry;
use crate::store::notice::NewNotice;
use crate::text::storable;
use crate::{Engine, store};

/// Bytes of a description.
const DESCRIPTION: usize = 10_000;
/// Names that are tried when others take them at the same time.
const TRIES: usize = 20;

/// Makes a project; its slug comes from its name.
///
/// # Errors
/// When the actor may not manage initiatives, or the name is not valid.
pub async fn create(engine: &Engine, actor: &Actor, new: NewProject) -> Result<Project> {
    may(actor, Scope::InitiativesManage, Target::Organisation { id: actor.organisation_id, what: "The organisation" })?;
    let name = name("The name of a project", &new.name)?;
    let description = storable(new.description.as_deref().unwrap_or_default().trim()).into_owned();
    if description.len() > DESCRIPTION {
        return Err(Error::TooLarge(format!("A description holds at most {DESCRIPTION} bytes.")));
    }
    let wanted = slug::of(&name, "project");
    let mut tx = engine.begin().await?;
    let mut taken = store::project::slugs(&mut tx, actor.organisation_id, &wanted).await?;
    let mut project = Project { id: engine.id(), name, slug: String::new(), description, created_at: tx.now() };
    for _ in 0..TRIES {
        project.slug = slug::free(&wanted, &taken);
        if store::project::insert(&mut tx, actor.organisation_id, &project).await? {
            tx.audit(&Entry::by(actor, "project.created", "project", project.id)).await?;
            tx.notice(&NewNotice {
                organisation_id: actor.organisation_id,
                owner_id: None,
                topic: "project",
                subject_id: project.id,
                kind: "created",
                project_id: Some(project.id),
                record_id: None,
                chat_id: None,
            })
            .await?;
            tx.commit().await?;
            return Ok(project);
        }
        taken.push(project.slug);
    }
    Err(Error::conflict("slug_taken", "Many projects of this name are being made right now. Try again."))
}
