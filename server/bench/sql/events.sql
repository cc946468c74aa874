-- Copies the first text of :turn, which is over, :count times behind itself, and gives how many events the turn then has.
begin;
create temporary table copied on commit drop as
  select seq, event from events where chat_id = :'chat' and turn_id = :'turn' and event like '{"type":"TEXT_MESSAGE_CONTENT"%' order by seq limit 1;
-- out of the way first: the numbers of a chat are unique at every moment
update events set seq = -seq - :count where chat_id = :'chat' and seq > (select seq from copied);
update events set seq = -seq where chat_id = :'chat' and seq < 0;
insert into events (chat_id, seq, turn_id, event, created_at)
  select :'chat', copied.seq + n, :'turn', copied.event, now() from copied cross join generate_series(1, :count) n;
update chats set last_seq = last_seq + :count where id = :'chat';
select count(*) from events where chat_id = :'chat' and turn_id = :'turn';
commit;
analyze events;
