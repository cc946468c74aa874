//! Chats and who is in them.

use sqlx::postgres::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;
use wire::chat::{Chat, ChatKind, ChatLine, Surface, ThreadState};
use wire::person::Named;

use crate::access::Target;
use crate::error::Result;
use crate::store::thread::last_line;

/// A chat as the engine works with it.
#[derive(Clone, Debug)]
pub struct ChatRow {
    pub organisation_id: Uuid,
    pub chat: Chat,
    pub held: bool,
    pub last_seq: i64,
    /// Events up to this number are gone.
    pub pruned_seq: i64,
}

impl ChatRow {
    /// What access to it is decided on.
    #[must_use]
    pub fn target(&self) -> Target {
        Target::Chat { organisation_id: self.organisation_id, owner_id: self.chat.owner.id }
    }
}

struct Row {
    id: Uuid,
    organisation_id: Uuid,
    project_id: Uuid,
    record_id: Option<Uuid>,
    owner_id: Uuid,
    owner_name: String,
    name: String,
    description: String,
    surface: String,
    kind: String,
    temporary: bool,
    pivots: Vec<Uuid>,
    held: bool,
    last_seq: i64,
    pruned_seq: i64,
    created_at: OffsetDateTime,
    ended_at: Option<OffsetDateTime>,
    agent_ids: Vec<Uuid>,
    agent_names: Vec<String>,
}

impl From<Row> for ChatRow {
    fn from(row: Row) -> ChatRow {
        ChatRow {
            organisation_id: row.organisation_id,
            held: row.held,
            last_seq: row.last_seq,
            pruned_seq: row.pruned_seq,
            chat: Chat {
                id: row.id,
                project_id: row.project_id,
                record_id: row.record_id,
                name: row.name,
                description: row.description,
                surface: Surface::parse(&row.surface).unwrap_or(Surface::Planning),
                kind: ChatKind::parse(&row.kind).unwrap_or(ChatKind::Ask),
                temporary: row.temporary,
                owner: Named { id: row.owner_id, name: row.owner_name },
                agents: row.agent_ids.into_iter().zip(row.agent_names).map(|(id, name)| Named { id, name }).collect(),
                pivots: row.pivots,
                created_at: row.created_at,
                ended_at: row.ended_at,
            },
        }
    }
}

/// The chat, whoever it belongs to: the caller decides who may see it.
pub(crate) async fn get(connection: &mut PgConnection, id: Uuid) -> Result<Option<ChatRow>> {
    let row = sqlx::query_as!(
        Row,
        r#"select c.id, c.organisation_id, c.project_id, c.record_id, c.owner_id, p.name as owner_name, c.name, c.description, c.surface,
             c.kind, c.temporary, c.pivots, c.held, c.last_seq, c.pruned_seq, c.created_at, c.ended_at,
             array(select a.id from chat_agents ca join agents a on a.id = ca.agent_id where ca.chat_id = c.id order by ca.place, a.id) as "agent_ids!",
             array(select a.name from chat_agents ca join agents a on a.id = ca.agent_id where ca.chat_id = c.id order by ca.place, a.id) as "agent_names!"
           from chats c join people p on p.id = c.owner_id where c.id = $1"#,
        id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(ChatRow::from))
}

/// Locks the chat's row until the end of the transaction. Whoever sends, starts, stops or ends takes this first.
pub(crate) async fn lock(connection: &mut PgConnection, id: Uuid) -> Result<()> {
    sqlx::query!("select id from chats where id = $1 for update", id).fetch_optional(connection).await?;
    Ok(())
}

/// The id of the chat's next message: a UUIDv7 that is larger than every one before it, even when the clock steps back. Locks the
/// chat's row.
pub(crate) async fn next_message_id(connection: &mut PgConnection, chat_id: Uuid, now: OffsetDateTime) -> Result<Uuid> {
    let now_ms = i64::try_from(now.unix_timestamp_nanos() / 1_000_000).unwrap_or(i64::MAX);
    let ms = sqlx::query_scalar!(
        "update chats set last_message_ms = greatest(last_message_ms + 1, $2), active_at = greatest(active_at, $3) where id = $1 returning last_message_ms",
        chat_id,
        now_ms,
        now
    )
    .fetch_one(connection)
    .await?;
    Ok(uuid::Builder::from_unix_timestamp_millis(u64::try_from(ms).unwrap_or(0), &rand::random()).into_uuid())
}

#[expect(clippy::too_many_arguments, reason = "one row's columns")]
pub(crate) async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    organisation_id: Uuid,
    project_id: Uuid,
    record_id: Option<Uuid>,
    owner_id: Uuid,
    name: &str,
    surface: Surface,
    kind: ChatKind,
    now: OffsetDateTime,
) -> Result<()> {
    sqlx::query!(
        "insert into chats (id, organisation_id, project_id, record_id, owner_id, name, surface, kind, created_at, active_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)",
        id,
        organisation_id,
        project_id,
        record_id,
        owner_id,
        name,
        surface.name(),
        kind.name(),
        now
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub(crate) async fn add_agents(connection: &mut PgConnection, chat_id: Uuid, agents: &[Uuid]) -> Result<()> {
    sqlx::query!(
        "insert into chat_agents (chat_id, agent_id, place)
         select $1, agent_id, place::smallint from unnest($2::uuid[]) with ordinality as given (agent_id, place)",
        chat_id,
        agents
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The agents of the organisation among these that are there, in the order given; with none given, the built-in planner.
pub(crate) async fn agents_for(
    connection: &mut PgConnection,
    organisation_id: Uuid,
    wanted: Option<&[Uuid]>,
) -> Result<Vec<Uuid>> {
    let ids = match wanted {
        Some(wanted) => {
            sqlx::query_scalar!(
                "select id from agents where organisation_id = $1 and removed_at is null and id = any($2) order by array_position($2, id)",
                organisation_id,
                wanted
            )
            .fetch_all(connection)
            .await?
        }
        None => {
            sqlx::query_scalar!(
                "select id from agents where organisation_id = $1 and removed_at is null order by slug <> 'planner', built_in desc, slug limit 1",
                organisation_id
            )
            .fetch_all(connection)
            .await?
        }
    };
    Ok(ids)
}

/// Holds back other makers of names for the person's chats in the project until the end of the transaction.
pub(crate) async fn lock_names(connection: &mut PgConnection, project_id: Uuid, owner_id: Uuid) -> Result<()> {
    sqlx::query!(
        "select pg_advisory_xact_lock(hashtextextended($1 || $2, 0))",
        project_id.to_string(),
        owner_id.to_string()
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Whether another open chat of the person in the project has this name.
pub(crate) async fn name_taken(
    connection: &mut PgConnection,
    project_id: Uuid,
    owner_id: Uuid,
    name: &str,
    but: Option<Uuid>,
) -> Result<bool> {
    let taken = sqlx::query_scalar!(
        r#"select exists (select 1 from chats where project_id = $1 and owner_id = $2 and lower(name) = lower($3) and ended_at is null
             and id is distinct from $4) as "taken!""#,
        project_id,
        owner_id,
        name,
        but
    )
    .fetch_one(connection)
    .await?;
    Ok(taken)
}

/// The first free number for a name like "Chat 2".
pub(crate) async fn free_number(
    connection: &mut PgConnection,
    project_id: Uuid,
    owner_id: Uuid,
    stem: &str,
) -> Result<i64> {
    let number = sqlx::query_scalar!(
        r#"select min(n) as "n!" from generate_series(1, 1 + (select count(*) from chats where project_id = $1 and owner_id = $2 and ended_at is null)) n
           where not exists (select 1 from chats where project_id = $1 and owner_id = $2 and ended_at is null and lower(name) = lower($3 || ' ' || n))"#,
        project_id,
        owner_id,
        stem
    )
    .fetch_one(connection)
    .await?;
    Ok(number)
}

pub(crate) async fn describe(connection: &mut PgConnection, id: Uuid, name: &str, description: &str) -> Result<()> {
    sqlx::query!("update chats set name = $2, description = $3 where id = $1", id, name, description)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn set_ended(
    connection: &mut PgConnection,
    id: Uuid,
    ended_at: Option<OffsetDateTime>,
    name: &str,
) -> Result<()> {
    sqlx::query!("update chats set ended_at = $2, name = $3 where id = $1", id, ended_at, name)
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) async fn set_held(connection: &mut PgConnection, id: Uuid, held: bool) -> Result<()> {
    sqlx::query!("update chats set held = $2 where id = $1", id, held).execute(connection).await?;
    Ok(())
}

/// Which chats a list wants: those of an owner, or of everyone.
pub(crate) struct Wanted {
    pub organisation_id: Uuid,
    pub project_id: Uuid,
    pub owner_id: Option<Uuid>,
    pub record_id: Option<Uuid>,
    pub ended: bool,
}

/// The chats, most lately active first, from a place on.
pub(crate) async fn lines(
    connection: &mut PgConnection,
    wanted: &Wanted,
    before: Option<(OffsetDateTime, Uuid)>,
    limit: i64,
) -> Result<Vec<(ChatLine, OffsetDateTime)>> {
    let (before_at, before_id) = before.unzip();
    let rows = sqlx::query!(
        r#"select c.id, c.organisation_id, c.project_id, c.record_id, c.owner_id, p.name as owner_name, c.name, c.description, c.surface,
             c.kind, c.temporary, c.pivots, c.held, c.last_seq, c.pruned_seq, c.created_at, c.ended_at, c.active_at,
             array(select a.id from chat_agents ca join agents a on a.id = ca.agent_id where ca.chat_id = c.id order by ca.place, a.id) as "agent_ids!",
             array(select a.name from chat_agents ca join agents a on a.id = ca.agent_id where ca.chat_id = c.id order by ca.place, a.id) as "agent_names!",
             (select case when bool_or(t.state = 'paused') then 'waiting' else 'working' end from turns t
                where t.chat_id = c.id and t.state in ('queued', 'running', 'paused')) as state,
             m.parts as "parts?", m.created_at as "said_at?", coalesce(mp.name, ma.name) as said_by
           from chats c
           join people p on p.id = c.owner_id
           left join lateral (select max(h.last_message_id::text)::uuid as id from thread_heads h where h.chat_id = c.id) head on true
           left join messages m on m.id = head.id
           left join people mp on mp.id = m.person_id
           left join agents ma on ma.id = m.agent_id
           where c.organisation_id = $1 and c.project_id = $2 and ($3::uuid is null or c.owner_id = $3)
             and ($4::uuid is null or c.record_id = $4) and ($5 or c.ended_at is null)
             and ($6::timestamptz is null or (c.active_at, c.id) < ($6, $7))
           order by c.active_at desc, c.id desc limit $8"#,
        wanted.organisation_id,
        wanted.project_id,
        wanted.owner_id,
        wanted.record_id,
        wanted.ended,
        before_at,
        before_id,
        limit
    )
    .fetch_all(connection)
    .await?;
    Ok(rows
        .into_iter()
        .map(|row| {
            let state = match row.state.as_deref() {
                Some("waiting") => ThreadState::Waiting,
                Some(_) => ThreadState::Working,
                None => ThreadState::Idle,
            };
            let last = last_line(row.said_by, row.parts, row.said_at);
            let chat = ChatRow::from(Row {
                id: row.id,
                organisation_id: row.organisation_id,
                project_id: row.project_id,
                record_id: row.record_id,
                owner_id: row.owner_id,
                owner_name: row.owner_name,
                name: row.name,
                description: row.description,
                surface: row.surface,
                kind: row.kind,
                temporary: row.temporary,
                pivots: row.pivots,
                held: row.held,
                last_seq: row.last_seq,
                pruned_seq: row.pruned_seq,
                created_at: row.created_at,
                ended_at: row.ended_at,
                agent_ids: row.agent_ids,
                agent_names: row.agent_names,
            });
            (ChatLine { chat: chat.chat, state, last }, row.active_at)
        })
        .collect())
}

/// The project's organisation, if there is such a project.
pub(crate) async fn project_organisation(connection: &mut PgConnection, project_id: Uuid) -> Result<Option<Uuid>> {
    Ok(sqlx::query_scalar!("select organisation_id from projects where id = $1", project_id)
        .fetch_optional(connection)
        .await?)
}

/// What a chat opened on this record is anchored to: the record, or a bug's parent plan. Nothing when the project has no such record.
pub(crate) async fn anchor(connection: &mut PgConnection, project_id: Uuid, record_id: Uuid) -> Result<Option<Uuid>> {
    let anchor = sqlx::query_scalar!(
        r#"select case when kind = 'bug' then parent_id else id end as "anchor!" from records where id = $1 and project_id = $2"#,
        record_id,
        project_id
    )
    .fetch_optional(connection)
    .await?;
    Ok(anchor)
}

/// The code and sentence of the newest turn of the chat, if it failed.
pub(crate) async fn last_failure(connection: &mut PgConnection, chat_id: Uuid) -> Result<Option<(String, String)>> {
    let row = sqlx::query!(
        "select state, error_code, error_detail from turns where chat_id = $1 order by id desc limit 1",
        chat_id
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.filter(|row| row.state == "failed").and_then(|row| row.error_code.zip(row.error_detail)))
}
