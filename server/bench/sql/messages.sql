-- :count messages in the default thread of :chat, oldest first, by its owner and its agent in turn. As a chat's own history would be: ids in
-- order, and the thread's head kept by hand, since the trigger that counts would touch one row :count times.
begin;
set local session_replication_role = replica;
insert into messages (id, chat_id, client_id, sender_kind, person_id, agent_id, class, state, parts, created_at)
select (lpad(to_hex(1700000000000 + n), 12, '0') || '7' || '0008' || right(md5(:'chat' || n), 15))::uuid, c.id,
  case when n % 2 = 1 then 'history-' || n end,
  case when n % 2 = 1 then 'person' else 'agent' end,
  case when n % 2 = 1 then c.owner_id end,
  case when n % 2 = 0 then (select agent_id from chat_agents where chat_id = c.id order by place limit 1) end,
  'message', 'settled',
  jsonb_build_array(jsonb_build_object('type', 'text', 'id', 't0', 'text',
    'Message ' || n || E': the export writes one line for each row, with a **header**.\n\n- numbers keep their decimals\n- dates are ISO 8601')),
  timestamptz '2023-11-14 22:13:20Z' + n * interval '1 millisecond'
from chats c cross join generate_series(1, :count) n
where c.id = :'chat';
insert into thread_heads (chat_id, thread_key, message_count, last_message_id)
select :'chat', '00000000-0000-0000-0000-000000000000', count(*), (select id from messages where chat_id = :'chat' order by id desc limit 1)
from messages where chat_id = :'chat'
on conflict (chat_id, thread_key) do update
set message_count = excluded.message_count, last_message_id = excluded.last_message_id;
commit;
analyze messages;
