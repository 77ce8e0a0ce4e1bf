-- What a platform said of itself, by its own day: how far its clock was ahead of ours, which dates the deals of that day,
-- and what our login may not do there (ADR 197).
create table platform_days (
  platform text not null check (platform in ('MT4', 'MT5')),
  day date not null,
  offset_seconds integer not null,
  missing_rights text[] not null,
  read_at timestamptz not null,
  primary key (platform, day)
);
