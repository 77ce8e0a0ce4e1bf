-- What a file says of its making (requirements 29.8): for staff alone, gone with the file. Of a picture the time that its
-- camera showed, which names no time zone, and the software; of a PDF its producer and dates. Never a place or a serial number.
create table file_metadata (
  file_id uuid primary key references files (id) on delete cascade,
  taken_at timestamp,
  software text check (length(software) between 1 and 100),
  producer text check (length(producer) between 1 and 100),
  produced_at timestamptz,
  modified_at timestamptz,
  constraint file_metadata_says check (num_nonnulls(taken_at, software, producer, produced_at, modified_at) > 0)
);
