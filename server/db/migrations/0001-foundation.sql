-- Keys, settings, people, sessions, events, inbox, jobs: mechanics sections 2, 4, 5, 7, 11.
create extension if not exists citext;
create extension if not exists pg_trgm;

create table master_key (only_one boolean primary key default true check (only_one), fingerprint bytea not null);

create table keys (
  kid text primary key,
  purpose text not null check (purpose in ('token', 'password', 'file', 'factor', 'link')),
  wrapped bytea not null,
  public jsonb,
  created_at timestamptz not null,
  retired_at timestamptz
);

create table staff (
  id uuid primary key default uuidv7(),
  email citext not null unique,
  name text not null,
  roles text[] not null check (roles <@ array['compliance', 'operations', 'finance', 'administrator', 'auditor'] and cardinality(roles) > 0),
  state text not null default 'invited' check (state in ('invited', 'active', 'deactivated')),
  password_hash text,
  factor_secret bytea,
  factor_confirmed_at timestamptz,
  factor_last_step bigint not null default 0,
  language text not null default 'en',
  version integer not null default 1,
  invited_by uuid references staff (id),
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);

create table settings (
  section text not null,
  version integer not null check (version > 0),
  value jsonb not null,
  from_at timestamptz not null,
  by_staff uuid references staff (id),
  reason text not null default '',
  primary key (section, version)
);
create function settings_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('settings', new.section);
  return null;
end $$;
create trigger settings_changed after insert on settings for each row execute function settings_changed();

create sequence client_numbers start 10001;
create table clients (
  id uuid primary key default uuidv7(),
  number bigint not null unique default nextval('client_numbers'),
  email citext not null unique,
  state text not null default 'registering'
    check (state in ('registering', 'pending', 'approved', 'suspended', 'closed', 'rejected')),
  client_status text not null default 'retail' check (client_status in ('retail', 'professional')),
  title text not null,
  name text not null,
  surname text not null,
  birth_date date,
  mobile_phone text,
  address_no text,
  address text not null default '',
  city text,
  postcode text,
  county text not null default '' check (length(county) <= 30),
  country text not null check (length(country) = 2),
  nationality text check (length(nationality) = 2),
  employment jsonb,
  trading_experience jsonb,
  wanted_account jsonb,
  language text not null default 'en' check (language in ('en', 'de')),
  password_hash text,
  password_changed_at timestamptz not null,
  security_question text,
  security_answer_hash text,
  security_answer_tries integer not null default 0,
  factor_secret bytea,
  factor_confirmed_at timestamptz,
  factor_last_step bigint not null default 0,
  step integer not null default 1,
  sub_step integer not null default 3,
  registered_at timestamptz,
  declaration_version integer,
  documents_sent_at timestamptz,
  identity_approved_at timestamptz,
  address_approved_at timestamptz,
  source_of_wealth_asked_at timestamptz,
  social_id text,
  reason text,
  approved_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null
);
create index clients_name on clients using gin ((lower(name || ' ' || surname || ' ' || email::text)) gin_trgm_ops);
create index clients_state on clients (state, id);

create table registrations (
  id uuid primary key default uuidv7(),
  email citext not null,
  -- A decoy stands for an address that is known already: it behaves alike and can never be confirmed.
  decoy boolean not null,
  answers jsonb not null,
  password_hash text not null,
  security_answer_hash text,
  sub_step integer not null default 2,
  language text not null default 'en',
  mail_sent_at timestamptz,
  confirmed_at timestamptz,
  told_at timestamptz,
  client_id uuid references clients (id),
  created_at timestamptz not null
);
create index registrations_email on registrations (email, created_at);

create table consents (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  text_key text not null,
  version integer not null,
  at timestamptz not null,
  address text
);
create index consents_client on consents (client_id, text_key, version);

create table recovery_codes (
  id uuid primary key default uuidv7(),
  client_id uuid references clients (id),
  staff_id uuid references staff (id),
  hash bytea not null,
  used_at timestamptz
);

create table sessions (
  id uuid primary key default gen_random_uuid(),
  audience text not null check (audience in ('portal', 'office', 'registering', 'ticket', 'office-ticket')),
  client_id uuid references clients (id),
  staff_id uuid references staff (id),
  registration_id uuid references registrations (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  idle_seconds integer not null,
  ends_at timestamptz not null,
  ended_at timestamptz,
  proved_at timestamptz,
  tries integer not null default 0,
  device text not null default '',
  address text not null default '',
  check (num_nonnulls(client_id, staff_id, registration_id) = 1)
);
create index sessions_client on sessions (client_id) where ended_at is null;
create index sessions_staff on sessions (staff_id) where ended_at is null;

create table one_time_links (
  id uuid primary key default gen_random_uuid(),
  purpose text not null check (purpose in ('confirm', 'setpassword', 'reset', 'invitation', 'email-change')),
  hash bytea unique,
  client_id uuid references clients (id),
  staff_id uuid references staff (id),
  registration_id uuid references registrations (id),
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz,
  created_at timestamptz not null,
  check (num_nonnulls(client_id, staff_id, registration_id) = 1)
);

-- A JWE is accepted once: remembered until its five minutes are over (attack A2).
create table used_ciphertexts (hash bytea primary key, until timestamptz not null);

create unlogged table rate_limits (
  bucket text primary key,
  count integer not null,
  window_ends_at timestamptz not null
);

create table idempotency_keys (
  scope uuid not null,
  key text not null,
  call text not null,
  body_hash bytea not null,
  status integer,
  -- json, not jsonb: a repeat answers the very same text.
  answer json,
  created_at timestamptz not null,
  primary key (scope, key)
);

create table events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null,
  record uuid,
  client_id uuid,
  verb text not null,
  from_state text,
  to_state text,
  actor text not null,
  actor_id uuid,
  address text,
  reference text,
  reason text,
  details_digest bytea,
  transaction_id xid8 not null default pg_current_xact_id()
);
create index events_sealing on events (transaction_id, id);
create index events_record on events (kind, record, id);
create index events_client on events (client_id, id);
create index events_actor on events (actor_id, id) where actor_id is not null;

-- Personal values stand apart, so that erasure can empty them and the chain still verifies (mechanics section 4).
create table event_details (
  event_id bigint primary key references events (id),
  salt bytea not null,
  -- json, not jsonb: the digest is over this very text.
  details json
);
create table event_seals (
  number bigint primary key,
  event_id bigint not null unique references events (id),
  hash bytea not null
);

create table work_items (
  id uuid primary key default uuidv7(),
  kind text not null,
  record uuid not null,
  client_id uuid references clients (id),
  state text not null,
  summary jsonb not null default '{}',
  due_at timestamptz not null,
  assignee uuid references staff (id),
  created_at timestamptz not null,
  closed_at timestamptz
);
create unique index work_items_open on work_items (kind, record) where closed_at is null;
create index work_items_due on work_items (due_at, id) where closed_at is null;

create table viewing (
  item uuid not null,
  staff_id uuid not null references staff (id),
  seen_at timestamptz not null,
  primary key (item, staff_id)
);

create table notices (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  kind text not null,
  facts jsonb not null,
  link text,
  at timestamptz not null,
  read_at timestamptz
);
create index notices_client on notices (client_id, id desc);

-- Everything done at an outside: committed before the call, asked about when the answer never came (mechanics section 2).
create table operations (
  id uuid primary key default uuidv7(),
  kind text not null,
  ref text not null unique,
  target text not null,
  payload jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'done', 'refused', 'unknown')),
  result jsonb,
  tries integer not null default 0,
  asked integer not null default 0,
  asked_first_at timestamptz,
  next_try_at timestamptz,
  last_error text,
  sent_at timestamptz,
  lease uuid,
  lease_until timestamptz,
  lease_server integer,
  parked_at timestamptz,
  subject text,
  record uuid,
  client_id uuid references clients (id),
  created_at timestamptz not null,
  settled_at timestamptz,
  check (state in ('done', 'refused') = (settled_at is not null))
);
create unique index operations_one_balance on operations (target) where kind = 'balance' and state in ('sending', 'unknown');
create index operations_due on operations (next_try_at) where state in ('waiting', 'sending', 'unknown');
create index operations_target on operations (target, state) where kind = 'balance';
create unique index operations_ticket on operations ((split_part(target, ':', 1)), (result -> 'done' ->> 'ticket'))
  where kind = 'balance' and state = 'done';
create index operations_record on operations (subject, record);

-- Each running server holds an advisory lock under its number; what a server without one left locked is free again.
create sequence server_numbers as integer;
create table server_workers (
  worker_id text primary key,
  server integer not null
);

create table files (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  label text not null unique check (octet_length(label) <= 255),
  media_type text not null,
  size integer not null check (size > 0),
  sha256 bytea not null,
  kid text not null references keys (kid),
  pages integer,
  state text not null check (state in ('clean', 'quarantined', 'infected')),
  used_at timestamptz,
  created_at timestamptz not null
);
create index files_client on files (client_id, id);
