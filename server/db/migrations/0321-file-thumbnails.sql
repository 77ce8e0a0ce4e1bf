-- Small pictures of files' first pages for lists (ADR 261), encrypted as the files are, gone with them, and drawn again when
-- they are missing: no backup needs them.
create table file_thumbnails (
  file_id uuid primary key references files (id) on delete cascade,
  kid text not null references keys (kid) on delete cascade,
  sealed bytea not null
);
create index file_thumbnails_kid on file_thumbnails (kid);
