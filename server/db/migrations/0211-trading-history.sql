-- What platforms have of our accounts' trades (ADR 210). Deals are kept as they were read: a change is a further version.
create table platform_deals (
  platform text not null check (platform in ('MT4', 'MT5')),
  deal bigint not null,
  version integer not null,
  -- The platform's own day; a month is a partition.
  day date not null,
  account_id uuid not null references trading_accounts (id),
  -- In ms by the platform's clock, and by ours.
  platform_ms bigint not null,
  at timestamptz not null,
  action smallint not null,
  entry smallint not null,
  reason smallint not null,
  symbol text not null,
  position bigint not null,
  order_ticket bigint not null,
  -- In hundred-millionths of a lot.
  volume bigint not null,
  closed_volume bigint not null,
  price text not null,
  price_position text not null,
  stop_loss text,
  take_profit text,
  profit_minor bigint not null,
  swap_minor bigint not null,
  commission_minor bigint not null,
  fee_minor bigint not null,
  -- The row of the account's sum that it is in as a whole; null for trades and cancelled deals.
  sum_row text,
  -- Our own request that it carried out.
  subject text,
  record uuid,
  -- The platform has it no longer.
  gone boolean not null,
  fingerprint text not null,
  read_at timestamptz not null,
  primary key (platform, deal, version, day)
) partition by range (day);
create index platform_deals_position on platform_deals (account_id, position);
create index platform_deals_day on platform_deals (account_id, day);
create trigger platform_deals_append_only before update or delete or truncate on platform_deals
  for each statement execute function refuse_change();
revoke update, delete, truncate on platform_deals from portal_app;

-- The server's own role alters no table: it asks for the partition of a month.
create function deals_of_month(a_day date) returns void language plpgsql security definer set search_path = public as $$
declare first date := date_trunc('month', a_day)::date; part text := 'platform_deals_' || to_char(a_day, 'YYYY_MM');
begin
  if to_regclass(part) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('platform_deals'));
  if to_regclass(part) is not null then return; end if;
  execute format('create table %I partition of platform_deals for values from (%L) to (%L)', part, first,
    (first + interval '1 month')::date);
  execute format('revoke update, delete, truncate on %I from portal_app', part);
  execute format('create trigger append_only before update or delete or truncate on %I for each statement
    execute function refuse_change()', part);
end $$;

-- Where the reading of each platform and of each account stands.
create table deal_cursors (
  platform text primary key check (platform in ('MT4', 'MT5')),
  newest_ms bigint not null,
  turn_at timestamptz not null,
  read_at timestamptz,
  reread_day date
);
create table account_histories (
  account_id uuid primary key references trading_accounts (id),
  -- Whether it is to be read whole: at first, and after a change further back.
  unread boolean not null,
  -- As the platform named it last.
  group_name text,
  read_at timestamptz,
  -- When the platform's own sum was last compared with ours.
  compared_at timestamptz,
  -- By the platform's day: until when its day ends were noted.
  noted_day date
);
create index account_histories_unread on account_histories (account_id) where unread;
create index account_histories_compared on account_histories (compared_at nulls first);

-- What pages read; it follows from the deals and is made again from them.
create table closed_trades (
  account_id uuid not null references trading_accounts (id),
  deal bigint not null,
  position bigint not null,
  order_ticket bigint not null,
  symbol text not null,
  side text not null check (side in ('buy', 'sell')),
  volume bigint not null,
  open_price text not null,
  close_price text not null,
  stop_loss text,
  take_profit text,
  reason smallint not null,
  profit_minor bigint not null,
  swap_minor bigint not null,
  commission_minor bigint not null,
  fee_minor bigint not null,
  result_minor bigint not null generated always as (profit_minor + swap_minor + commission_minor + fee_minor) stored,
  opened_at timestamptz,
  closed_at timestamptz not null,
  platform_ms bigint not null,
  day date not null,
  primary key (account_id, deal)
);
-- They carry the page's columns, so that a page of 20 is read from an index alone.
create index closed_trades_time on closed_trades (account_id, platform_ms, deal) include (position, symbol, side, volume,
  open_price, close_price, profit_minor, swap_minor, commission_minor, fee_minor, result_minor, closed_at, day);
create index closed_trades_symbol on closed_trades (account_id, symbol, platform_ms, deal) include (position, side, volume,
  open_price, close_price, profit_minor, swap_minor, commission_minor, fee_minor, result_minor, closed_at, day);
create index closed_trades_position on closed_trades (account_id, position);

-- Sums of closed trades, for the totals of a filter: whole years and months from theirs, the edges from days.
create table trade_sums (
  account_id uuid not null references trading_accounts (id),
  span text not null check (span in ('day', 'month', 'year')),
  begins date not null,
  symbol text not null,
  side text not null,
  sign smallint not null check (sign between -1 and 1),
  trades integer not null,
  profit_minor bigint not null,
  swap_minor bigint not null,
  commission_minor bigint not null,
  fee_minor bigint not null,
  primary key (account_id, span, begins, symbol, side, sign)
    include (trades, profit_minor, swap_minor, commission_minor, fee_minor)
);

-- What deals moved, by the rows of the account's sum.
create table deal_sums (
  account_id uuid not null references trading_accounts (id),
  day date not null,
  sum_row text not null,
  amount_minor bigint not null,
  primary key (account_id, day, sum_row)
);

-- An account at the end of the platform's day: by its report, or by our deals and the first reading after it.
create table account_days (
  account_id uuid not null references trading_accounts (id),
  day date not null,
  balance_minor bigint not null,
  credit_minor bigint not null,
  floating_minor bigint not null,
  source text not null check (source in ('report', 'reading')),
  noted_at timestamptz not null,
  primary key (account_id, day)
);

-- The deals as they stand: the last version of each that the platform still has.
create view kept_deals as
  select d.* from platform_deals d
    where not d.gone and not exists (select from platform_deals n
      where n.platform = d.platform and n.deal = d.deal and n.version > d.version);
