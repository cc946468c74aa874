-- Lists of records are in the order of their last change.
create index records_changed on records (project_id, updated_at, id);

-- A tsvector holds at most 1 MiB, and a word with hyphens is kept whole and in parts: with 100,000 characters no text can be too much.
alter table records drop column words;
alter table records add column words tsvector generated always as
  (setweight(to_tsvector('simple', title), 'A') || setweight(to_tsvector('simple', left(body, 100000)), 'B')) stored;
create index records_words on records using gin (words);
