-- What clients ask for and staff decide on. A state's words are those of its table in rules/; a test compares them.
create table documents (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  kind text not null check (kind in ('passport', 'id', 'drivers_licence', 'bank_statement', 'utility_bill',
    'government_letter', 'proofOfAddress', 'source_of_wealth')),
  state text not null default 'uploaded' check (state in ('uploaded', 'pending_approval', 'approved', 'rejected', 'expired')),
  country text not null,
  document_number text not null,
  -- For address kinds the date of issue.
  expiry_date date not null,
  front_file uuid references files (id),
  back_file uuid references files (id),
  reason text,
  reasons jsonb,
  sent_at timestamptz,
  decided_at timestamptz,
  decided_by uuid references staff (id),
  told_of_expiry_at timestamptz,
  version integer not null default 1,
  created_at timestamptz not null,
  unique (client_id, kind)
);
create index documents_number on documents (lower(document_number), country);

create table trading_accounts (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  request_type text not null check (request_type in ('live', 'demo')),
  platform text not null check (platform in ('MT4', 'MT5')),
  acc_type text not null check (acc_type in ('Standard', 'ECN')),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  leverage integer not null check (leverage between 1 and 500),
  demo_balance_minor bigint check ((request_type = 'demo') = (demo_balance_minor is not null)),
  client_status text not null default 'retail' check (client_status in ('retail', 'professional')),
  nickname text not null default '',
  state text not null default 'pending' check (state in ('pending', 'processing', 'approved', 'rejected')),
  login text,
  group_name text,
  first_password bytea,
  first_password_until timestamptz,
  reason text,
  decided_by uuid references staff (id),
  requested_at timestamptz not null,
  decided_at timestamptz,
  opened_at timestamptz,
  version integer not null default 1,
  unique (platform, login),
  check (state <> 'approved' or login is not null)
);
create index trading_accounts_client on trading_accounts (client_id, id);

create table leverage_requests (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  account_id uuid not null references trading_accounts (id),
  from_leverage integer not null,
  to_leverage integer not null check (to_leverage <> from_leverage),
  state text not null default 'pending' check (state in ('pending', 'processing', 'approved', 'rejected')),
  reason text,
  decided_by uuid references staff (id),
  requested_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1
);
create unique index leverage_requests_open on leverage_requests (account_id) where state in ('pending', 'processing');

create table bank_details (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  bank_name text not null,
  bank_address text not null,
  bank_country text not null,
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  account_number text,
  sort_code text,
  iban text,
  swift text,
  statement_file uuid references files (id),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  reason text,
  decided_by uuid references staff (id),
  added_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  check ((account_number is null) = (sort_code is null)),
  check ((iban is null) = (swift is null)),
  check ((iban is null) <> (account_number is null))
);
create index bank_details_client on bank_details (client_id, id);

create table bank_lines (
  id uuid primary key default uuidv7(),
  bank_account text not null,
  bank_id text not null,
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  payer text not null,
  payer_account text not null default '',
  remittance text not null,
  booked_on date not null,
  state text not null check (state in ('second_approval', 'unmatched', 'matched', 'sent_back', 'rejected')),
  typed_by uuid references staff (id),
  confirmed_by uuid references staff (id),
  reason text,
  created_at timestamptz not null,
  version integer not null default 1,
  unique (bank_account, bank_id),
  check (confirmed_by is distinct from typed_by or typed_by is null)
);

create table deposits (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  account_id uuid not null references trading_accounts (id),
  type text not null check (type in ('wire', 'cc_gcen', 'ideal', 'astropay')),
  method text not null,
  gateway text not null,
  amount_minor bigint not null check (amount_minor > 0),
  received_minor bigint check (received_minor > 0),
  fee_minor bigint not null default 0 check (fee_minor >= 0),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  reference text not null unique,
  state text not null default 'pending' check (state in ('pending', 'processing', 'approved', 'rejected', 'cancelled')),
  comment text not null default '',
  card_type integer,
  provider text,
  provider_id text,
  provider_mac text,
  payment_url text,
  bank_line uuid unique references bank_lines (id),
  refunded_minor bigint not null default 0 check (refunded_minor >= 0),
  wire_account jsonb,
  decided_by uuid references staff (id),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  approved_at timestamptz,
  rejected_at timestamptz,
  version integer not null default 1,
  unique (provider, provider_id),
  check ((type = 'cc_gcen') = (card_type is not null))
);
create index deposits_client on deposits (client_id, requested_at desc, id desc);
create index deposits_account on deposits (account_id);

create table withdrawals (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  account_id uuid not null references trading_accounts (id),
  bank_id uuid not null references bank_details (id),
  -- The details as they were when the client chose them: the payout uses these (attack B11).
  bank jsonb not null,
  type text not null,
  method text not null,
  amount_minor bigint not null check (amount_minor > 0),
  fee_minor bigint not null default 0 check (fee_minor >= 0),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  reference text not null unique,
  state text not null default 'pending'
    check (state in ('pending', 'second_approval', 'processing', 'approved', 'paid', 'returned', 'rejected', 'cancelled')),
  comment text not null default '',
  figures jsonb not null,
  threshold_minor bigint,
  approved_by uuid references staff (id),
  first_approved_at timestamptz,
  approval_note text,
  confirmed_by uuid references staff (id),
  confirmed_at timestamptz,
  paid_by uuid references staff (id),
  paid_at timestamptz,
  payout_file uuid,
  requested_at timestamptz not null,
  approved_at timestamptz,
  rejected_at timestamptz,
  returned_at timestamptz,
  version integer not null default 1,
  check (confirmed_by is null or confirmed_by <> approved_by),
  check (fee_minor < amount_minor)
);
create index withdrawals_client on withdrawals (client_id, requested_at desc, id desc);
create index withdrawals_account on withdrawals (account_id);
create index withdrawals_bank on withdrawals (bank_id, requested_at);

create table transfers (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  source_account uuid not null references trading_accounts (id),
  destination_account uuid not null references trading_accounts (id),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  rate text not null,
  arrives_minor bigint not null check (arrives_minor > 0),
  arrives_currency text not null check (arrives_currency in ('EUR', 'GBP', 'USD')),
  reference text not null unique,
  state text not null default 'pending' check (state in ('pending', 'processing', 'approved', 'rejected', 'cancelled')),
  comment text not null default '',
  figures jsonb not null,
  decided_by uuid references staff (id),
  requested_at timestamptz not null,
  approved_at timestamptz,
  rejected_at timestamptz,
  version integer not null default 1,
  check (source_account <> destination_account)
);
create index transfers_client on transfers (client_id, requested_at desc, id desc);

create table reservations (
  id uuid primary key default uuidv7(),
  account_id uuid not null references trading_accounts (id),
  subject text not null check (subject in ('withdrawal', 'transfer')),
  record uuid not null,
  amount_minor bigint not null check (amount_minor > 0),
  created_at timestamptz not null,
  released_at timestamptz,
  unique (subject, record)
);
create index reservations_open on reservations (account_id) where released_at is null;

create table platform_figures (
  account_id uuid primary key references trading_accounts (id),
  balance_minor bigint not null,
  credit_minor bigint not null,
  equity_minor bigint,
  margin_minor bigint,
  free_margin_minor bigint,
  profit_minor bigint,
  open_positions integer not null,
  leverage integer not null,
  read_at timestamptz not null
);

create table professional_applications (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  answers jsonb not null,
  state text not null default 'pending'
    check (state in ('pending', 'more_asked', 'approved', 'rejected', 'reversed')),
  reason text,
  accounts uuid[] not null default '{}',
  decided_by uuid references staff (id),
  submitted_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1
);
create unique index professional_applications_open on professional_applications (client_id)
  where state in ('pending', 'more_asked', 'approved');

create table profile_changes (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  field text not null check (field in ('name', 'surname', 'birthDate', 'nationality', 'country')),
  from_value text,
  to_value text not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'replaced')),
  reason text,
  decided_by uuid references staff (id),
  requested_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1
);
create unique index profile_changes_open on profile_changes (client_id, field) where state = 'pending';

create table staff_notes (
  id uuid primary key default uuidv7(),
  client_id uuid not null references clients (id),
  staff_id uuid not null references staff (id),
  text text not null,
  at timestamptz not null
);
create index staff_notes_client on staff_notes (client_id, id);

create table client_flags (
  client_id uuid not null references clients (id),
  flag text not null check (flag in ('pep', 'sanction', 'watch')),
  note text not null,
  set_by uuid not null references staff (id),
  set_at timestamptz not null,
  primary key (client_id, flag)
);

-- Changes that wait for a second administrator: wire accounts, thresholds, transfer rates, staff roles.
create table setting_changes (
  id uuid primary key default uuidv7(),
  section text not null,
  base_version integer not null,
  value jsonb not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'cancelled')),
  reason text not null,
  asked_by uuid not null references staff (id),
  decided_by uuid references staff (id),
  asked_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  check (state <> 'approved' or decided_by <> asked_by)
);
create table staff_changes (
  id uuid primary key default uuidv7(),
  staff_id uuid not null references staff (id),
  roles text[] not null,
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected', 'cancelled')),
  reason text not null,
  asked_by uuid not null references staff (id),
  decided_by uuid references staff (id),
  asked_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  check (state <> 'approved' or decided_by <> asked_by)
);

create table corrections (
  id uuid primary key default uuidv7(),
  account_id uuid not null references trading_accounts (id),
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  state text not null default 'pending' check (state in ('pending', 'processing', 'approved', 'rejected')),
  reason text not null,
  decision_reason text,
  asked_by uuid not null references staff (id),
  decided_by uuid references staff (id),
  asked_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  check (decided_by is null or decided_by <> asked_by)
);

create table differences (
  id uuid primary key default uuidv7(),
  kind text not null,
  account_id uuid references trading_accounts (id),
  subject text,
  record uuid,
  ours_minor bigint,
  theirs_minor bigint,
  currency text,
  facts jsonb not null,
  fingerprint text not null,
  state text not null default 'open' check (state in ('open', 'explained', 'gone')),
  reason text,
  decided_by uuid references staff (id),
  found_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1
);
create unique index differences_open on differences (fingerprint) where state = 'open';
