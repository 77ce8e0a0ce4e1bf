-- A client's lost second factor: turned off by staff with four eyes. The client's own id: one wish for each; what became
-- of an earlier one stands in the audit log.
create table factor_resets (
  id uuid primary key references clients (id),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'cancelled')),
  reason text not null,
  asked_by uuid not null references staff (id),
  asked_at timestamptz not null,
  decided_by uuid references staff (id),
  decided_at timestamptz,
  version integer not null default 1,
  check (decided_by is null or decided_by <> asked_by)
);
