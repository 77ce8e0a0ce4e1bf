-- Checkouts: one row for one idempotency key, whatever dies between our row and the provider's answer; and when the
-- provider was last asked about it.
alter table deposits
  add column request_key text,
  add column request_body bytea,
  add column asked_at timestamptz,
  add column language text not null default 'en' check (language in ('en', 'de'));
create unique index deposits_request_key on deposits (client_id, request_key) where request_key is not null;
create index deposits_open on deposits (expires_at) where state = 'pending';
create index deposits_requested on deposits (requested_at desc, id desc);
create index transfers_requested on transfers (requested_at desc, id desc);
create index leverage_requests_requested on leverage_requests (requested_at desc, id desc);
create index trading_accounts_requested on trading_accounts (requested_at desc, id desc);
create index trading_accounts_first_password on trading_accounts (first_password_until) where first_password is not null;
create index bank_lines_state on bank_lines (state, created_at desc, id desc);

-- A statement file that was read, by its bytes: the same file read again changes nothing.
create table statement_imports (
  id uuid primary key default uuidv7(),
  sha256 bytea not null unique,
  name text not null,
  bank_account text not null,
  lines integer not null,
  added integer not null,
  imported_by uuid not null references staff (id),
  imported_at timestamptz not null
);
alter table bank_lines add column import_id uuid references statement_imports (id);
