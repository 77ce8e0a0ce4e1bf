-- What links clients (requirements 24.9), as keyed digests of a bank account, telephone, address, document number or device;
-- never the values themselves. A device is that of a session and goes with it.
create table link_digests (
  client_id uuid not null references clients (id),
  kind text not null check (kind in ('bank', 'phone', 'address', 'document', 'device')),
  digest bytea not null,
  session_id uuid references sessions (id) on delete cascade,
  at timestamptz,
  constraint link_digests_device check ((kind = 'device') = (session_id is not null and at is not null))
);
create index link_digests_digest on link_digests (kind, digest, at);
create index link_digests_client on link_digests (client_id);
create index link_digests_session on link_digests (session_id) where session_id is not null;

-- How far the audit log was followed.
create table link_digests_cursor (
  one boolean primary key default true check (one),
  number bigint not null
);
insert into link_digests_cursor (number) values (0);
