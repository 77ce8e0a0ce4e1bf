-- The firm's own money into (positive) and out of the client money account, with four eyes; booked with its bank line.
create table firm_money_moves (
  id uuid primary key default uuidv7(),
  reference text not null unique,
  amount_minor bigint not null check (amount_minor <> 0),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  reason text not null,
  bank_line uuid references bank_lines (id),
  state text not null default 'pending' check (state in ('pending', 'processing', 'approved', 'rejected')),
  decision_reason text,
  asked_by uuid not null references staff (id),
  decided_by uuid references staff (id),
  asked_at timestamptz not null,
  decided_at timestamptz,
  version integer not null default 1,
  check (decided_by is null or decided_by <> asked_by),
  check (state <> 'approved' or bank_line is not null)
);
create unique index firm_money_moves_line on firm_money_moves (bank_line) where state <> 'rejected';
create index firm_money_moves_asked on firm_money_moves (asked_at desc, id desc);

alter table bank_lines drop constraint bank_lines_state_check;
alter table bank_lines add constraint bank_lines_state_check
  check (state in ('second_approval', 'unmatched', 'matched', 'sent_back', 'own_money', 'rejected'));
alter table ledger_accounts drop constraint ledger_accounts_kind_check;
alter table ledger_accounts add constraint ledger_accounts_kind_check
  check (kind in ('client', 'bank', 'provider', 'arrived_unmatched', 'payout_in_transit', 'transfer_in_transit',
    'exchange', 'fees', 'trading_result', 'corrections', 'firm_money'));
