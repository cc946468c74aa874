-- People, records, chats, turns and their logs. What must always hold is held here: by keys, checks and triggers.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are never changed or deleted', tg_table_name using errcode = 'restrict_violation';
end $$;

-- organisations and people ---------------------------------------------------------------------------------------------

create table organisations (
  id uuid primary key,
  name text not null check (name <> ''),
  settings jsonb not null default '{}',
  created_at timestamptz not null
);
create unique index organisations_name on organisations (lower(name));

create table people (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  email text not null unique check (email = lower(email) and email <> ''),
  name text not null check (name <> ''),
  role text not null check (role in ('viewer', 'member', 'lead', 'admin', 'owner')),
  password_hash text,
  created_at timestamptz not null,
  removed_at timestamptz
);
create index people_organisation on people (organisation_id);

-- the last owner can be neither removed nor demoted
create function keep_an_owner() returns trigger language plpgsql as $$
begin
  if old.role = 'owner' and old.removed_at is null and (tg_op = 'DELETE' or new.role <> 'owner' or new.removed_at is not null) then
    perform 1 from organisations where id = old.organisation_id for update;
    if not exists (select 1 from people where organisation_id = old.organisation_id and role = 'owner' and removed_at is null and id <> old.id) then
      raise exception 'an organisation keeps at least one owner' using errcode = 'restrict_violation', constraint = 'last_owner';
    end if;
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger people_keep_an_owner before update or delete on people for each row execute function keep_an_owner();

create table sessions (
  id text primary key,
  person_id uuid references people,
  data text not null,
  expires_at timestamptz not null
);
create index sessions_expiry on sessions (expires_at);

create table tokens (
  id uuid primary key,
  person_id uuid not null references people,
  name text not null,
  secret_hash bytea not null unique,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index tokens_person on tokens (person_id);

create table sign_in_failures (
  email text not null,
  address text not null,
  at timestamptz not null
);
create index sign_in_failures_at on sign_in_failures (at);
create index sign_in_failures_email on sign_in_failures (email, at);
create index sign_in_failures_address on sign_in_failures (address, at);

-- agents ----------------------------------------------------------------------------------------------------------------

create table agents (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  slug text not null,
  name text not null,
  picture text,
  instructions text not null default '',
  runtime text,
  model text,
  tools text[],
  built_in boolean not null default false,
  created_at timestamptz not null,
  removed_at timestamptz,
  unique (organisation_id, slug)
);

-- projects and records --------------------------------------------------------------------------------------------------

create table projects (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  name text not null check (name <> ''),
  slug text not null check (slug <> ''),
  description text not null default '',
  reconcile_mode text not null default 'apply' check (reconcile_mode in ('apply', 'propose')),
  settings jsonb not null default '{}',
  created_at timestamptz not null,
  unique (organisation_id, slug)
);

create table records (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  project_id uuid not null references projects,
  kind text not null check (kind in ('initiative', 'plan', 'bug')),
  parent_id uuid references records,
  slug text not null check (slug <> ''),
  title text not null check (title <> ''),
  status text not null check (case kind
    when 'initiative' then status in ('draft', 'active', 'done', 'archived')
    when 'plan' then status in ('draft', 'ready', 'in progress', 'in review', 'done', 'archived')
    else status in ('open', 'triaged', 'in progress', 'fixed', 'closed') end),
  severity text check (severity in ('critical', 'high', 'medium', 'low')),
  body text not null,
  version integer not null check (version >= 1),
  owner_id uuid not null references people,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  words tsvector generated always as (setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', left(body, 200000)), 'B')) stored,
  unique (project_id, kind, slug),
  check ((kind = 'initiative') = (parent_id is null)),
  check ((kind = 'bug') = (severity is not null))
);
create index records_project on records (project_id, kind, status);
create index records_parent on records (parent_id);
create index records_words on records using gin (words);

create function check_parent() returns trigger language plpgsql as $$
begin
  if new.parent_id is not null and not exists (
    select 1 from records p where p.id = new.parent_id and p.project_id = new.project_id
      and p.kind = case new.kind when 'plan' then 'initiative' else 'plan' end) then
    raise exception 'a % belongs under a % of its own project', new.kind, case new.kind when 'plan' then 'initiative' else 'plan' end
      using errcode = 'check_violation', constraint = 'records_parent_kind';
  end if;
  if tg_op = 'UPDATE' and (new.kind <> old.kind or new.project_id <> old.project_id or new.organisation_id <> old.organisation_id) then
    raise exception 'a record keeps its kind and project' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger records_parent_kind before insert or update of parent_id, kind, project_id, organisation_id on records
  for each row execute function check_parent();

-- chats, threads, messages ----------------------------------------------------------------------------------------------

create table chats (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  project_id uuid not null references projects,
  record_id uuid references records,
  owner_id uuid not null references people,
  name text not null check (name <> ''),
  description text not null default '',
  picture text,
  surface text not null check (surface in ('planning', 'platform')),
  kind text not null check (kind in ('chat', 'ask')),
  temporary boolean not null default false,
  pivots uuid[] not null default '{}',
  held boolean not null default false,
  -- numbers that are taken under this row's lock: no gap, and in the order of commits
  last_seq bigint not null default 0,
  last_message_ms bigint not null default 0,
  pruned_seq bigint not null default 0,
  created_at timestamptz not null,
  active_at timestamptz not null,
  ended_at timestamptz
);
create unique index chats_name on chats (project_id, owner_id, lower(name)) where ended_at is null;
create index chats_record on chats (record_id) where ended_at is null;
create index chats_owner on chats (owner_id, project_id);

create function keep_chat_fixed() returns trigger language plpgsql as $$
begin
  if new.surface <> old.surface or new.kind <> old.kind or new.project_id <> old.project_id or new.organisation_id <> old.organisation_id then
    raise exception 'a chat keeps its surface, kind and project' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger chats_fixed before update of surface, kind, project_id, organisation_id on chats
  for each row execute function keep_chat_fixed();

create table chat_agents (
  chat_id uuid not null references chats,
  agent_id uuid not null references agents,
  place smallint not null,
  primary key (chat_id, agent_id)
);

create table threads (
  id uuid primary key,
  chat_id uuid not null references chats,
  name text not null,
  -- the send that made it: parallel first messages with one key make one thread
  client_id text not null,
  created_at timestamptz not null,
  unique (chat_id, client_id)
);

create table turns (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  chat_id uuid not null references chats,
  thread_id uuid references threads,
  message_id uuid not null,
  -- the agent's message that grows with the turn
  answer_id uuid,
  agent_id uuid not null references agents,
  person_id uuid not null references people,
  state text not null check (state in ('queued', 'running', 'paused', 'completed', 'failed', 'stopped', 'interrupted')),
  cause text not null check (cause in ('person', 'chat_call', 'notification', 'flow', 'task')),
  call_id uuid,
  skill text,
  runtime text not null,
  model text not null,
  iterations integer not null default 0,
  tool_calls integer not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cache_read_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  reasoning_tokens bigint not null default 0,
  -- millionths of a USD; null where the price is unknown
  cost_micro_usd bigint,
  error_code text,
  error_detail text,
  -- who drives it: every write of a turn names the attempt it belongs to
  attempt integer not null default 0,
  node_id uuid,
  lease_until timestamptz,
  stop_requested boolean not null default false,
  -- what the person's session or token allowed when the turn was sent; never more than the role holds at the time of use
  scopes text[] not null,
  address text,
  queued_at timestamptz not null,
  started_at timestamptz,
  first_token_at timestamptz,
  ended_at timestamptz
);
create unique index turns_one_running on turns (chat_id) where state in ('running', 'paused');
create index turns_queue on turns (chat_id, id) where state = 'queued';
create index turns_alive on turns (state) where state in ('queued', 'running', 'paused');
create index turns_chat on turns (chat_id, id);

create table messages (
  id uuid primary key,
  chat_id uuid not null references chats,
  thread_id uuid references threads,
  turn_id uuid references turns,
  client_id text,
  sender_kind text not null check (sender_kind in ('person', 'agent')),
  person_id uuid references people,
  agent_id uuid references agents,
  class text not null check (class in ('message', 'log', 'note', 'resource')),
  subclass text,
  format text not null default 'markdown',
  state text not null check (state in ('streaming', 'settled', 'failed')),
  parts jsonb not null,
  -- the newest event that `parts` holds; later ones of a streaming message are folded in when it is read
  parts_seq bigint not null default 0,
  created_at timestamptz not null,
  edited_at timestamptz,
  withdrawn_at timestamptz,
  -- the default thread has no row and no id; an index wants a value
  thread_key uuid not null generated always as (coalesce(thread_id, '00000000-0000-0000-0000-000000000000')) stored,
  check ((sender_kind = 'person') = (person_id is not null) and (sender_kind = 'agent') = (agent_id is not null))
);
create unique index messages_client on messages (chat_id, client_id) where client_id is not null;
create index messages_thread on messages (chat_id, thread_key, id) where withdrawn_at is null;

-- how long each thread is and what its last message is, so that opening a chat never counts its messages
create table thread_heads (
  chat_id uuid not null references chats,
  thread_key uuid not null,
  message_count bigint not null,
  last_message_id uuid,
  primary key (chat_id, thread_key)
);

create function count_message() returns trigger language plpgsql as $$
begin
  if new.class = 'log' then return null; end if;
  if tg_op = 'INSERT' then
    insert into thread_heads (chat_id, thread_key, message_count, last_message_id) values (new.chat_id, new.thread_key, 1, new.id)
      on conflict (chat_id, thread_key) do update
      set message_count = thread_heads.message_count + 1, last_message_id = greatest(thread_heads.last_message_id, excluded.last_message_id);
  elsif old.withdrawn_at is null and new.withdrawn_at is not null then
    update thread_heads set message_count = message_count - 1, last_message_id = (
        select m.id from messages m where m.chat_id = new.chat_id and m.thread_key = new.thread_key and m.withdrawn_at is null and m.class <> 'log'
        order by m.id desc limit 1)
      where chat_id = new.chat_id and thread_key = new.thread_key;
  end if;
  return null;
end $$;
create trigger messages_counted after insert or update of withdrawn_at on messages for each row execute function count_message();
create index messages_turn on messages (turn_id);

create table message_edits (
  message_id uuid not null references messages,
  number integer not null,
  parts jsonb not null,
  edited_at timestamptz not null,
  primary key (message_id, number)
);

create table reads (
  chat_id uuid not null references chats,
  thread_id uuid,
  person_id uuid not null references people,
  message_id uuid not null,
  unique nulls not distinct (chat_id, thread_id, person_id)
);

create table attachments (
  id uuid primary key,
  chat_id uuid not null references chats,
  message_id uuid references messages,
  name text not null,
  media_type text not null,
  size bigint not null,
  place smallint not null default 0,
  created_at timestamptz not null
);
create index attachments_message on attachments (message_id);

-- what the agent of a turn did, step by step ----------------------------------------------------------------------------

-- one call to the provider: its blocks as they must be given back to the same model
create table steps (
  turn_id uuid not null references turns,
  number integer not null,
  model text not null,
  blocks jsonb not null,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cache_read_tokens bigint not null default 0,
  cache_write_tokens bigint not null default 0,
  reasoning_tokens bigint not null default 0,
  created_at timestamptz not null,
  primary key (turn_id, number)
);

create table tool_calls (
  turn_id uuid not null references turns,
  -- the provider's own id, made unique in the turn
  id text not null,
  step integer not null,
  place integer not null,
  name text not null,
  input jsonb not null,
  state text not null check (state in ('active', 'success', 'error', 'cancelled')),
  output text,
  truncated boolean not null default false,
  diff jsonb,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (turn_id, id)
);

create table pauses (
  id uuid primary key,
  chat_id uuid not null references chats,
  turn_id uuid not null references turns,
  tool_call_id text not null,
  kind text not null check (kind in ('question', 'plan', 'approval')),
  content jsonb not null,
  state text not null check (state in ('open', 'answered', 'expired', 'cancelled')),
  answer jsonb,
  answered_by uuid references people,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  settled_at timestamptz
);
create unique index pauses_one_open on pauses (chat_id) where state = 'open';

-- the log of a chat: numbered from 1 without gaps, appended before it is shown
create table events (
  chat_id uuid not null references chats,
  seq bigint not null,
  turn_id uuid,
  event text not null,
  created_at timestamptz not null,
  primary key (chat_id, seq)
);
create index events_turn on events (turn_id, seq) where turn_id is not null;
create index events_created on events using brin (created_at);

-- versions, proposals, audit --------------------------------------------------------------------------------------------

create table versions (
  record_id uuid not null references records,
  version integer not null,
  title text not null,
  status text not null,
  severity text,
  body text not null,
  edit_source text not null check (edit_source in ('human', 'ai', 'restore')),
  author_id uuid not null references people,
  agent_id uuid references agents,
  chat_id uuid references chats,
  turn_id uuid references turns,
  added integer not null,
  removed integer not null,
  created_at timestamptz not null,
  primary key (record_id, version),
  check ((edit_source = 'ai') = (turn_id is not null and chat_id is not null and agent_id is not null))
);
create index versions_turn on versions (turn_id) where turn_id is not null;
create trigger versions_fixed before update or delete on versions for each row execute function refuse_change();
create trigger versions_fixed_whole before truncate on versions for each statement execute function refuse_change();

create function next_version_only() returns trigger language plpgsql as $$
begin
  if new.version <> coalesce((select max(version) from versions where record_id = new.record_id), 0) + 1 then
    raise exception 'version % of a record must follow the one before it', new.version using errcode = 'check_violation', constraint = 'versions_no_gap';
  end if;
  return new;
end $$;
create trigger versions_no_gap before insert on versions for each row execute function next_version_only();

create table proposals (
  id uuid primary key,
  record_id uuid not null references records,
  chat_id uuid references chats,
  turn_id uuid references turns,
  agent_id uuid references agents,
  person_id uuid not null references people,
  base_version integer not null,
  kind text not null check (kind in ('conflict', 'proposed')),
  title text not null,
  status text not null,
  severity text,
  body text not null,
  state text not null check (state in ('open', 'accepted', 'refused')),
  decided_by uuid references people,
  created_at timestamptz not null,
  decided_at timestamptz,
  check ((state = 'open') = (decided_at is null))
);
create index proposals_record on proposals (record_id, state);

create table audit (
  id bigint generated always as identity primary key,
  organisation_id uuid not null references organisations,
  at timestamptz not null,
  person_id uuid references people,
  agent_id uuid references agents,
  turn_id uuid,
  action text not null,
  subject_kind text not null,
  subject_id uuid not null,
  before_version integer,
  after_version integer,
  edit_source text check (edit_source in ('human', 'ai', 'restore')),
  address text,
  detail jsonb not null default '{}'
);
create index audit_organisation on audit (organisation_id, id);
create index audit_subject on audit (organisation_id, subject_id, id);
create index audit_agents on audit (organisation_id, id) where agent_id is not null;
create trigger audit_fixed before update or delete on audit for each row execute function refuse_change();
create trigger audit_fixed_whole before truncate on audit for each statement execute function refuse_change();

-- what changed, for every open page of an organisation: ids only. `at_xid` gives the order of commits without a lock:
-- a reader holds back what a transaction that is still open may come before.
create table notices (
  id bigint generated always as identity primary key,
  at_xid xid8 not null default pg_current_xact_id(),
  organisation_id uuid not null,
  -- null: for everyone of the organisation; else for this person and those who may read any chat
  owner_id uuid,
  topic text not null,
  subject_id uuid not null,
  kind text not null,
  project_id uuid,
  record_id uuid,
  chat_id uuid,
  created_at timestamptz not null
);
create index notices_order on notices (organisation_id, at_xid, id);
create index notices_created on notices using brin (created_at);

-- calls between chats ---------------------------------------------------------------------------------------------------

create table calls (
  id uuid primary key,
  organisation_id uuid not null references organisations,
  project_id uuid not null references projects,
  person_id uuid not null references people,
  caller_chat_id uuid not null references chats,
  caller_thread_id uuid references threads,
  caller_turn_id uuid not null references turns,
  target_chat_id uuid not null references chats,
  target_turn_id uuid references turns,
  chain_id uuid not null,
  parent_call_id uuid references calls,
  depth integer not null,
  submission_id text,
  message text not null,
  reply boolean not null,
  status text not null check (status in ('submitted', 'working', 'input_required', 'completed', 'failed', 'cancelled', 'rejected')),
  reason text,
  detail text,
  result jsonb,
  late boolean not null default false,
  timeout_seconds integer not null,
  active_at timestamptz not null,
  created_at timestamptz not null,
  settled_at timestamptz
);
create unique index calls_submission on calls (caller_chat_id, submission_id) where submission_id is not null;
create index calls_project on calls (project_id, id);
create index calls_chain on calls (chain_id, id);
create index calls_hourly on calls (person_id, project_id, created_at);
create index calls_open on calls (status) where status in ('submitted', 'working', 'input_required');

create table call_entries (
  call_id uuid not null references calls,
  number integer not null,
  kind text not null check (kind in ('progress', 'question', 'answer')),
  content jsonb not null,
  created_at timestamptz not null,
  primary key (call_id, number)
);
alter table turns add foreign key (call_id) references calls;

-- appends to the log of a chat and gives the last number. One call, one round trip: the chat's row is locked first, so whoever takes
-- a turn over (which changes `attempt` under the same lock) can never be overtaken by a writer that lost it.
create function append_events(of_chat uuid, of_turn uuid, of_attempt integer, texts text[], at timestamptz) returns bigint
language plpgsql as $$
declare last bigint;
begin
  update chats set last_seq = last_seq + cardinality(texts) where id = of_chat returning last_seq into strict last;
  if of_attempt is not null and not exists (
    select 1 from turns where id = of_turn and attempt = of_attempt and state in ('running', 'paused')) then
    raise exception 'the turn goes on elsewhere' using errcode = 'CF001';
  end if;
  insert into events (chat_id, seq, turn_id, event, created_at)
    select of_chat, last - cardinality(texts) + place, of_turn, text, at from unnest(texts) with ordinality as appended (text, place);
  return last;
end $$;
