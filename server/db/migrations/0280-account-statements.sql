-- Statements of live accounts by the platform's months (ADR 241). A row for each month whose end was noted: what is due.
create table month_ends (
  account_id uuid not null references trading_accounts (id),
  -- Its first day.
  month date not null,
  noted_at timestamptz not null,
  -- When the positions of the month's end were read; null where they were not.
  positions_at timestamptz,
  -- Two days after the month's end: not drawn before.
  due_at timestamptz not null,
  -- The newest one that was drawn; 0 before the first.
  edition integer not null default 0,
  -- When it is looked at next; null once its newest edition agrees with the deals.
  look_at timestamptz,
  problem text check (problem in ('not-agreed', 'not-read', 'fonts-missing')),
  tries integer not null default 0,
  primary key (account_id, month)
);
create index month_ends_look on month_ends (look_at) where look_at is not null;
create index month_ends_problem on month_ends (due_at) where problem is not null;

-- What was open at a month's end, by the first reading afterwards.
create table month_end_positions (
  account_id uuid not null,
  month date not null,
  position bigint not null,
  price text not null,
  open_price text not null,
  swap_minor bigint not null,
  profit_minor bigint not null,
  primary key (account_id, month, position),
  foreign key (account_id, month) references month_ends (account_id, month)
);

-- What was drawn. A correction makes a further edition; nothing is replaced.
create table account_statements (
  id uuid primary key default uuidv7(),
  account_id uuid not null,
  month date not null,
  edition integer not null check (edition > 0),
  drawn_at timestamptz not null,
  -- The figures, trades and movements, of which the CSV is made; no names.
  facts jsonb not null,
  fingerprint text not null,
  file uuid references files (id) on delete set null,
  unique (account_id, month, edition),
  foreign key (account_id, month) references month_ends (account_id, month)
);
create index account_statements_file on account_statements (file);
revoke update, delete, truncate on account_statements from portal_app;
revoke update, delete, truncate on month_end_positions from portal_app;
