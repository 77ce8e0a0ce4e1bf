-- Double entry, append only: mechanics section 1. SQL guards sums, signs and uniqueness; business rules are TypeScript.
create table ledger_accounts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('client', 'bank', 'provider', 'arrived_unmatched', 'payout_in_transit',
    'transfer_in_transit', 'exchange', 'fees', 'trading_result', 'corrections')),
  currency text not null check (currency in ('EUR', 'GBP', 'USD')),
  trading_account uuid references trading_accounts (id),
  name text not null default '',
  -- The sum of its postings; kept by post_entry alone, compared by the invariants.
  balance_minor bigint not null default 0,
  unique nulls not distinct (kind, currency, trading_account, name),
  check ((kind in ('client', 'trading_result')) = (trading_account is not null))
);

create table entries (
  id bigint generated always as identity primary key,
  ref text not null unique,
  kind text not null,
  subject text,
  record uuid,
  at timestamptz not null
);
create index entries_record on entries (subject, record);

create table postings (
  id bigint generated always as identity primary key,
  entry_id bigint not null references entries (id),
  ledger_account bigint not null references ledger_accounts (id),
  minor bigint not null check (minor <> 0),
  currency text not null
);
create index postings_entry on postings (entry_id);
create index postings_account on postings (ledger_account, id);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger postings_append_only before update or delete or truncate on postings execute function refuse_change();
create trigger entries_append_only before update or delete or truncate on entries execute function refuse_change();
create trigger events_append_only before update or delete or truncate on events execute function refuse_change();
create trigger seals_append_only before update or delete or truncate on event_seals execute function refuse_change();
create trigger settings_append_only before update or delete or truncate on settings execute function refuse_change();

-- Finds or makes a ledger account.
create function ledger_account(a_kind text, a_currency text, a_trading_account uuid, a_name text) returns bigint
language plpgsql as $$
declare found_id bigint;
begin
  select id into found_id from ledger_accounts where kind = a_kind and currency = a_currency
    and trading_account is not distinct from a_trading_account and name = a_name;
  if found_id is null then
    insert into ledger_accounts (kind, currency, trading_account, name)
      values (a_kind, a_currency, a_trading_account, a_name)
      on conflict (kind, currency, trading_account, name) do nothing;
    select id into found_id from ledger_accounts where kind = a_kind and currency = a_currency
      and trading_account is not distinct from a_trading_account and name = a_name;
  end if;
  return found_id;
end $$;

-- One entry with its postings, whole or not at all. Accounts are locked in the order of their ids, so that two
-- entries never wait for each other.
create function post_entry(
  a_ref text, a_kind text, a_subject text, a_record uuid, a_at timestamptz,
  a_accounts bigint[], a_minors bigint[]
) returns bigint language plpgsql security definer set search_path = public as $$
declare new_entry bigint; wrong text;
begin
  if cardinality(a_accounts) < 2 or cardinality(a_accounts) <> cardinality(a_minors) then
    raise exception 'an entry needs two postings or more' using errcode = 'check_violation';
  end if;
  perform 1 from ledger_accounts where id = any (a_accounts) order by id for update;
  select l.currency into wrong from unnest(a_accounts, a_minors) p (account, minor)
    join ledger_accounts l on l.id = p.account group by l.currency having sum(p.minor) <> 0;
  if wrong is not null then
    raise exception 'postings in % do not sum to zero', wrong using errcode = 'check_violation';
  end if;
  insert into entries (ref, kind, subject, record, at) values (a_ref, a_kind, a_subject, a_record, a_at)
    returning id into new_entry;
  insert into postings (entry_id, ledger_account, minor, currency)
    select new_entry, p.account, p.minor, l.currency from unnest(a_accounts, a_minors) p (account, minor)
    join ledger_accounts l on l.id = p.account;
  update ledger_accounts l set balance_minor = balance_minor + p.sum
    from (select account, sum(minor) as sum from unnest(a_accounts, a_minors) q (account, minor) group by account) p
    where l.id = p.account;
  return new_entry;
end $$;

-- A second guard for rows that came past post_entry: the sums are looked at again at commit.
create function postings_sum_to_zero() returns trigger language plpgsql as $$
begin
  if exists (select 1 from postings where entry_id = new.entry_id group by currency having sum(minor) <> 0) then
    raise exception 'entry % does not sum to zero', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create constraint trigger postings_sum_to_zero after insert on postings deferrable initially deferred
  for each row execute function postings_sum_to_zero();
