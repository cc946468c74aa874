use std::collections::HashMap;

use uuid::Uuid;
use wire::access::Role;
use wire::record::{NewProject, NewRecord, Project, RecordKind};

use super::records::RECORDS;
use crate::access::Actor;
use crate::error::{Error, Result};
use crate::person::{AddUser, actor_of_person, add_user};
use crate::record::slug;
use crate::{Engine, project, record, store};

const ORGANISATION: &str = "Acme";
const PASSWORD: &str = "confab-demo";
const PEOPLE: [(&str, &str, Role); 5] = [
    ("owner@demo.test", "Olivia Owner", Role::Owner),
    ("admin@demo.test", "Adam Admin", Role::Admin),
    ("lead@demo.test", "Lena Lead", Role::Lead),
    ("member@demo.test", "Mateo Member", Role::Member),
    ("viewer@demo.test", "Vera Viewer", Role::Viewer),
];
const PROJECT: &str = "Reporting";

/// Makes the sample organisation with its accounts, project and records; what is there already stays.
///
/// # Errors
/// When the database does not answer.
pub async fn seed(engine: &Engine) -> Result<()> {
    // nodes that start together make it once
    let held = store::once::hold(engine.pool(), "confab demo").await?;
    let done = make(engine).await;
    held.release().await?;
    done
}

async fn make(engine: &Engine) -> Result<()> {
    for (email, name, role) in PEOPLE {
        if account(engine, email).await?.is_none() {
            let new = AddUser {
                organisation: ORGANISATION.to_owned(),
                email: email.to_owned(),
                password: PASSWORD.to_owned(),
                role,
                name: Some(name.to_owned()),
            };
            add_user(engine, new).await?;
        }
    }
    let owner = actor(engine, "owner@demo.test").await?;
    let member = actor(engine, "member@demo.test").await?;
    let project = sample_project(engine, &owner).await?;
    let mut made: HashMap<&str, Uuid> = HashMap::new();
    for sample in &RECORDS {
        let found = {
            let mut connection = engine.pool().acquire().await?;
            let slug = slug::of(sample.title, sample.kind.name());
            store::record::by_slug(&mut connection, project.id, sample.kind, &slug).await?
        };
        let id = match found {
            Some(record) => record.id,
            None => {
                let author = if sample.kind == RecordKind::Initiative { &owner } else { &member };
                let new = NewRecord {
                    kind: sample.kind,
                    title: sample.title.to_owned(),
                    body: Some(sample.body.to_owned()),
                    status: Some(sample.status.to_owned()),
                    parent_id: sample.parent.and_then(|parent| made.get(parent).copied()),
                    severity: sample.severity.map(str::to_owned),
                };
                record::create(engine, author, project.id, new).await?.id
            }
        };
        made.insert(sample.title, id);
    }
    Ok(())
}

async fn sample_project(engine: &Engine, owner: &Actor) -> Result<Project> {
    match project::by_slug(engine, owner, &slug::of(PROJECT, "project")).await {
        Err(Error::NotFound(_)) => {
            let description = "What Acme's customers see of their numbers.".to_owned();
            project::create(engine, owner, NewProject { name: PROJECT.to_owned(), description: Some(description) })
                .await
        }
        found => found,
    }
}

async fn account(engine: &Engine, email: &str) -> Result<Option<Uuid>> {
    let mut connection = engine.pool().acquire().await?;
    Ok(store::person::account(&mut connection, email).await?.map(|account| account.id))
}

async fn actor(engine: &Engine, email: &str) -> Result<Actor> {
    let id = account(engine, email).await?.ok_or(Error::NotFound("A sample account"))?;
    actor_of_person(engine, id, None).await?.ok_or(Error::NotFound("A sample account"))
}
