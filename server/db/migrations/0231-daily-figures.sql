-- What overviews show of past days: counts and sums by day of the firm's zone, written by a job that may run again.
-- `key` is a currency or a kind of work, `step` the logarithmic step of a turnaround. 'written' marks a day as complete.
create table daily_figures (
  figure text not null check (figure in ('written', 'deposits', 'refunds', 'withdrawals', 'returned', 'decided', 'overdue',
    'began', 'confirmed', 'completed', 'documents', 'approved', 'funded')),
  day date not null,
  key text not null default '',
  step integer not null default 0,
  count bigint not null,
  minor bigint not null default 0,
  written_at timestamptz not null,
  primary key (figure, day, key, step)
);

-- The last reading of client money by currency; `since` is when it came to stand as it does.
create table client_money_readings (
  currency text primary key check (currency in ('EUR', 'GBP', 'USD')),
  owed_minor bigint not null,
  held_minor bigint not null,
  difference_minor bigint not null,
  standing text not null,
  open_differences integer not null,
  statements_to date,
  since timestamptz not null,
  read_at timestamptz not null
);

-- What is newer than the last complete day is read by these.
create index deposits_approved on deposits (approved_at) where state = 'approved';
create index withdrawals_paid on withdrawals (paid_at) where paid_at is not null;
create index entries_taken_back on entries (at) where kind in ('refunded', 'charged_back');
create index registrations_created on registrations (created_at) where not decoy;
create index registrations_client on registrations (client_id) where client_id is not null;
create index clients_created on clients (created_at);
create index deposits_first on deposits (client_id) where state = 'approved';
create index events_of_staff on events (actor_id, at) where actor = 'staff' and from_state is not null;
create index operations_answered on operations (split_part(target, ':', 1), settled_at) where settled_at is not null;
create index operations_waiting on operations (split_part(target, ':', 1), created_at) where state in ('waiting', 'sending', 'unknown');
