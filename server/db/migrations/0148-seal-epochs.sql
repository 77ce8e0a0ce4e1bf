-- Each recovery begins an epoch of the event log's seals: it names the last number and hash that were known. What was
-- sealed after them in the lost time is not in this log (ADR 148).
create table seal_epochs (
  epoch integer primary key check (epoch > 1),
  recovery uuid not null unique references recovery (id),
  after_number bigint not null,
  after_hash bytea not null,
  -- The events that were there when it began and had no seal lie between these ids; their transaction numbers may be those
  -- of another cluster.
  first_unsealed bigint not null,
  last_before bigint not null,
  began_at timestamptz not null
);
create trigger seal_epochs_append_only before update or delete or truncate on seal_epochs execute function refuse_change();
revoke update, delete, truncate on seal_epochs from portal_app;
