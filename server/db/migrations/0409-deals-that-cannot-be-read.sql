-- A deal of which a field cannot be read is kept with zeros in its place (ADR 328): the field, the reason, and the deal as
-- it was sent. Its row of the sum is 'unknown', as that of a deal with an unknown action has always been.
alter table platform_deals add column unreadable jsonb;
create or replace view kept_deals as
  select d.* from platform_deals d
    where not d.gone and not exists (select from platform_deals n
      where n.platform = d.platform and n.deal = d.deal and n.version > d.version);
create index platform_deals_unknown on platform_deals (account_id) where sum_row = 'unknown';

-- What of an account's deals cannot be read now: the first one, and how many; and the day from which its sums are not
-- complete, '-infinity' where the deal's own number or time cannot be read.
alter table account_histories add column unreadable jsonb, add column unreadable_since date,
  add check ((unreadable is null) = (unreadable_since is null));
create index account_histories_unreadable on account_histories (account_id) where unreadable is not null;
update account_histories h set unreadable = jsonb_build_object('deal', k.deal::text, 'field', 'Action', 'reason', 'action',
    'value', k.action::text, 'count', k.count, 'at', k.read_at), unreadable_since = k.day
  from (select distinct on (account_id) account_id, deal, action, day, read_at, count(*) over (partition by account_id) as count
    from kept_deals where sum_row = 'unknown' order by account_id, day, deal) k
  where k.account_id = h.account_id;
