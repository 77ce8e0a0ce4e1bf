-- The deals that a stored balance contains and the ledger does not. They are not added again when they are posted.
alter table platform_figures add column unposted_deals text[] not null default '{}';
