-- An organisation with :count chats, each with a turn that runs and that no node will take: what an appender needs to exist.
-- The ids of chats end with their number, those of their turns too.
begin;
insert into organisations (id, name, created_at) values ('00000000-0000-4000-8000-000000000001', 'Writers', now());
insert into people (id, organisation_id, email, name, role, created_at)
  values ('00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000001', 'w@bench.test', 'W', 'owner', now());
insert into agents (id, organisation_id, slug, name, created_at)
  values ('00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000001', 'w', 'W', now());
insert into projects (id, organisation_id, name, slug, created_at)
  values ('00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000001', 'W', 'w', now());
insert into chats (id, organisation_id, project_id, owner_id, name, surface, kind, created_at, active_at)
  select ('00000000-0000-4000-8001-' || lpad(n::text, 12, '0'))::uuid, '00000000-0000-4000-8000-000000000001',
    '00000000-0000-4000-8000-000000000004', '00000000-0000-4000-8000-000000000002', 'Chat ' || n, 'planning', 'chat', now(), now()
  from generate_series(0, :count - 1) n;
insert into turns (id, organisation_id, chat_id, message_id, agent_id, person_id, state, cause, runtime, model, attempt, node_id,
    lease_until, scopes, queued_at, started_at)
  select ('00000000-0000-4000-8002-' || lpad(n::text, 12, '0'))::uuid, '00000000-0000-4000-8000-000000000001',
    ('00000000-0000-4000-8001-' || lpad(n::text, 12, '0'))::uuid, ('00000000-0000-4000-8003-' || lpad(n::text, 12, '0'))::uuid,
    '00000000-0000-4000-8000-000000000003', '00000000-0000-4000-8000-000000000002', 'running', 'person', 'loop', 'scripted', 1,
    '00000000-0000-4000-8000-000000000009', '2100-01-01', '{}', now(), now()
  from generate_series(0, :count - 1) n;
commit;
