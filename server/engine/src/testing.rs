//! For tests: an engine on a test's database, a clock that stands still, and a small organisation to act in.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::PgPool;
use time::OffsetDateTime;
use time::macros::datetime;
use uuid::Uuid;
use wire::access::Role;
use wire::record::{NewProject, NewRecord, Project, Record, RecordKind};

use crate::access::Actor;
use crate::person::AddUser;
use crate::store::person::NewPerson;
use crate::{Clock, Config, Engine, ModelConfig, ProviderKind, organisation, person, project, record, store};

/// A clock that moves only when it is told to. Its ids rise, and tell the time as UUIDv7 do.
pub struct TestClock {
    now: Mutex<OffsetDateTime>,
    made: AtomicU64,
}

impl Default for TestClock {
    fn default() -> TestClock {
        TestClock { now: Mutex::new(datetime!(2025-03-03 09:00 UTC)), made: AtomicU64::new(0) }
    }
}

impl TestClock {
    pub fn advance(&self, by: time::Duration) {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) += by;
    }
}

impl Clock for TestClock {
    fn now(&self) -> OffsetDateTime {
        *self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn id(&self) -> Uuid {
        let millis = u64::try_from(self.now().unix_timestamp_nanos() / 1_000_000).unwrap_or(0);
        let mut tail = [0; 10];
        tail[2..].copy_from_slice(&self.made.fetch_add(1, Ordering::Relaxed).to_be_bytes());
        uuid::Builder::from_unix_timestamp_millis(millis, &tail).into_uuid()
    }
}

/// What a test's engine is started with: no model, nothing outside the machine.
#[must_use]
pub fn config() -> Config {
    Config {
        database_url: String::new(),
        connections: 5,
        data: std::env::temp_dir().join("confab-tests"),
        model: ModelConfig { provider: ProviderKind::Demo, base_url: None, model: None, key: None },
        turns: 4,
        iterations: 30,
        silence: Duration::from_secs(30),
    }
}

/// An engine on a test's database with one organisation, "Acme": one person for each role, and one project. What runs in the background ends
/// with it.
pub struct Acme {
    pub engine: Engine,
    pub clock: Arc<TestClock>,
    pub owner: Actor,
    pub admin: Actor,
    pub lead: Actor,
    pub member: Actor,
    pub viewer: Actor,
    pub project: Project,
}

impl Drop for Acme {
    fn drop(&mut self) {
        self.engine.stopping().cancel();
    }
}

/// The hash of no password: people of tests act without signing in.
const NO_PASSWORD: &str = "none";

impl Acme {
    /// # Panics
    /// When the database does not answer.
    pub async fn on(pool: PgPool) -> Acme {
        let clock = Arc::new(TestClock::default());
        let engine = Engine::on_pool(pool, config(), clock.clone());
        let actor = |role| person(&engine, "Acme", role);
        let owner = actor(Role::Owner).await;
        let (admin, lead) = (actor(Role::Admin).await, actor(Role::Lead).await);
        let (member, viewer) = (actor(Role::Member).await, actor(Role::Viewer).await);
        let new = NewProject { name: "Reporting".to_owned(), description: None };
        let project = project::create(&engine, &owner, new).await.expect("a project");
        Acme { engine, clock, owner, admin, lead, member, viewer, project }
    }

    /// The people by role, the least first.
    #[must_use]
    pub fn people(&self) -> [&Actor; 5] {
        [&self.viewer, &self.member, &self.lead, &self.admin, &self.owner]
    }

    /// The owner of another organisation.
    ///
    /// # Panics
    /// When the database does not answer.
    pub async fn stranger(&self) -> Actor {
        person(&self.engine, "Elsewhere", Role::Owner).await
    }

    /// # Panics
    /// When it cannot be made.
    pub async fn record(&self, kind: RecordKind, title: &str, parent: Option<&Record>, body: &str) -> Record {
        let new = NewRecord {
            kind,
            title: title.to_owned(),
            body: Some(body.to_owned()),
            status: None,
            parent_id: parent.map(|parent| parent.id),
            severity: None,
        };
        record::create(&self.engine, &self.member, self.project.id, new).await.expect("a record")
    }

    /// A plan under an initiative of its own.
    ///
    /// # Panics
    /// When it cannot be made.
    pub async fn plan(&self, body: &str) -> Record {
        let initiative = self.record(RecordKind::Initiative, "Exports", None, "").await;
        self.record(RecordKind::Plan, "CSV download button", Some(&initiative), body).await
    }
}

/// Somebody of an organisation, which is made when it is new.
///
/// # Panics
/// When the database does not answer.
pub async fn person(engine: &Engine, organisation: &str, role: Role) -> Actor {
    let mut tx = engine.begin().await.expect("a transaction");
    let organisation_id = organisation::create(engine, &mut tx, organisation).await.expect("an organisation");
    let id = engine.id();
    let email = format!("{}@{}.test", id.simple(), organisation.to_lowercase());
    let new = NewPerson { id, organisation_id, email: &email, name: role.name(), role, password_hash: NO_PASSWORD };
    let now = tx.now();
    store::person::insert(&mut tx, &new, now).await.expect("a person");
    tx.commit().await.expect("a commit");
    person::actor_of_person(engine, id, Some("192.0.2.7")).await.expect("a person").expect("a person")
}

/// An account with a password.
///
/// # Panics
/// When it cannot be made.
pub async fn account(engine: &Engine, email: &str, password: &str, role: Role) -> Uuid {
    let new = AddUser {
        organisation: "Acme".to_owned(),
        email: email.to_owned(),
        password: password.to_owned(),
        role,
        name: None,
    };
    person::add_user(engine, new).await.expect("an account")
}

/// Runs SQL that no command runs, such as what the schema must refuse.
///
/// # Errors
/// What the database says.
pub async fn sql(engine: &Engine, text: &str) -> sqlx::Result<u64> {
    let done = sqlx::raw_sql(sqlx::AssertSqlSafe(text.to_owned())).execute(engine.pool()).await?;
    Ok(done.rows_affected())
}

/// The rows that a `select … from …` finds.
///
/// # Panics
/// When the database refuses it.
pub async fn rows(engine: &Engine, text: &str) -> usize {
    let found = sqlx::raw_sql(sqlx::AssertSqlSafe(text.to_owned())).fetch_all(engine.pool()).await;
    found.expect("a query that the schema knows").len()
}
