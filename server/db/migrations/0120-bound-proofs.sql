-- A proof of who somebody is that is good for one call with exactly these values: kept hashed, spent with what the call does.
create table call_proofs (
  token_hash bytea primary key,
  session_id uuid not null references sessions (id) on delete cascade,
  call_hash bytea not null,
  ends_at timestamptz not null,
  spent_at timestamptz
);
create index call_proofs_session on call_proofs (session_id);
create index call_proofs_ends on call_proofs (ends_at);
