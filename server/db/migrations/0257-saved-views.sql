-- Filters, columns and order of a list under a name, of one person or shared with the team (requirements 24.6). No words
-- that were searched for: they are personal data of clients.
create table saved_views (
  id uuid primary key default uuidv7(),
  list text not null,
  owner uuid not null references staff (id),
  name text not null,
  query jsonb not null,
  shared boolean not null,
  created_at timestamptz not null
);
create unique index saved_views_name on saved_views (owner, list, lower(name));
create index saved_views_shared on saved_views (list) where shared;
