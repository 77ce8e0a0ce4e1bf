-- What is forgotten: a client's erasure with four eyes, and what the daily job took away.
alter table clients add column erased_at timestamptz;
create index clients_ended on clients (state, id) where erased_at is null and state in ('closed', 'rejected', 'registering');

-- The client's own id: there is one for each; what became of an earlier one stands in the audit log.
create table erasures (
  id uuid primary key references clients (id),
  asked_for text not null check (asked_for in ('client', 'firm', 'law')),
  state text not null default 'pending' check (state in ('pending', 'approved', 'done', 'rejected', 'cancelled')),
  reason text not null default '',
  asked_by uuid references staff (id),
  asked_at timestamptz not null,
  decided_by uuid references staff (id),
  decided_at timestamptz,
  -- How much of each kind was taken away.
  erased jsonb not null default '{}',
  version integer not null default 1,
  check (decided_by is null or decided_by <> asked_by)
);
create index erasures_approved on erasures (id) where state = 'approved';

create table retention_runs (
  id uuid primary key default uuidv7(),
  at timestamptz not null,
  counts jsonb not null
);
revoke update, delete on retention_runs from portal_app;

create index sessions_over on sessions ((coalesce(ended_at, ends_at)));
create index one_time_links_over on one_time_links ((coalesce(used_at, replaced_at, expires_at)));
create index notices_at on notices (at);
create index operations_letters_over on operations (settled_at) where client_id is null and kind in ('mail', 'password-reset');
