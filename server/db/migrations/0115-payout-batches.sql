-- Payout batches: product-decisions section 12, ADR 115. A batch is created by one person, released by a second, who is
-- not the creator, and confirmed as sent by one who is not the releaser.
create table payout_batches (
  id uuid primary key default uuidv7(),
  number bigint generated always as identity unique,
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  state text not null default 'created'
    check (state in ('created', 'released', 'sent', 'partly_returned', 'closed', 'void_requested', 'void')),
  -- Of the payments at creation, from the release on of those in the file.
  count integer not null check (count >= 0),
  total_minor bigint not null check (total_minor >= 0),
  -- Of the file's bytes in hexadecimal. A batch from before there were batches has none, nor people.
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  created_by uuid references staff (id),
  created_at timestamptz not null,
  released_by uuid references staff (id),
  released_at timestamptz,
  confirmed_by uuid references staff (id),
  sent_at timestamptz,
  void_asked_by uuid references staff (id),
  void_asked_at timestamptz,
  void_reason text,
  voided_by uuid references staff (id),
  voided_at timestamptz,
  version integer not null default 1,
  check (released_by is null or released_by <> created_by),
  check (confirmed_by is null or confirmed_by <> released_by),
  check (released_by is null or sha256 is not null),
  check (void_asked_by is null or voided_by is null or void_asked_by <> voided_by)
);
create index payout_batches_created on payout_batches (created_at desc, id desc);
create index payout_batches_state on payout_batches (state, created_at, id);

-- The payments of a batch. `live` until the batch is void or the payment was left out: a payment stands in one live batch.
create table payout_batch_payments (
  batch_id uuid not null references payout_batches (id),
  withdrawal_id uuid not null references withdrawals (id),
  live boolean not null default true,
  -- Why the release left it out: codes of checks.
  left_out text[],
  primary key (batch_id, withdrawal_id)
);
create unique index payout_batch_payments_live on payout_batch_payments (withdrawal_id) where live;

-- What stood in a payout file or was marked as paid before goes on as a batch, so that nothing is paid a second time.
-- `withdrawals.payout_file` is no longer written.
insert into payout_batches (id, currency, state, count, total_minor, created_at, released_at, sent_at)
  select coalesce(payout_file, id), min(currency), case when bool_or(state = 'approved') then 'released' else 'sent' end,
      count(*), sum(amount_minor - fee_minor), min(coalesce(approved_at, requested_at)),
      min(coalesce(approved_at, requested_at)), max(paid_at)
    from withdrawals where state in ('paid', 'returned') or (state = 'approved' and payout_file is not null)
    group by coalesce(payout_file, id);
insert into payout_batch_payments (batch_id, withdrawal_id)
  select coalesce(payout_file, id), id
    from withdrawals where state in ('paid', 'returned') or (state = 'approved' and payout_file is not null);
insert into work_items (kind, record, state, summary, due_at, created_at)
  select 'payout_batch', id, 'released',
      jsonb_build_object('amount', round(total_minor / 100.0, 2)::text, 'currency', currency, 'number', number, 'count', count),
      created_at, created_at
    from payout_batches where state = 'released';
