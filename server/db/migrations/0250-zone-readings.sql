-- What was read from the machine-readable zone that a file shows (ADR 228): gone with the file. The lines and, for each
-- field, how sure it is; `none` where no zone was found, `failed` where the file could not be read.
create table zone_readings (
  file_id uuid primary key references files (id) on delete cascade,
  state text not null check (state in ('read', 'none', 'failed')),
  page integer check (page > 0),
  lines text[],
  fields jsonb,
  read_at timestamptz not null,
  constraint zone_readings_lines check ((state = 'read') = (lines is not null and fields is not null and page is not null))
);
