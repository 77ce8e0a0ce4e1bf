-- Platform comments are derived from the request's shown reference, its leg and the leg's generation (mechanics section 2):
-- the key that derives them, and the columns that they are derived from.
alter table keys drop constraint keys_purpose_check;
alter table keys add constraint keys_purpose_check check (purpose in ('token', 'password', 'file', 'factor', 'link', 'reference'));

-- `generation` is raised by nothing but a resend that somebody asked for after a refusal.
alter table operations add column shown text;
alter table operations add column generation smallint not null default 0 check (generation between 0 and 31);
create index operations_shown on operations (shown) where shown is not null;

-- Every request that moves a balance has a shown reference.
alter table corrections add column reference text unique;
update corrections set reference = 'CR-' || upper(left(md5(id::text), 8));
alter table corrections alter column reference set not null;
alter table trading_accounts add column reference text unique;
update trading_accounts set reference = 'CR-' || upper(left(md5(id::text), 8)) where request_type = 'demo';
alter table trading_accounts add constraint trading_accounts_demo_reference check (request_type = 'live' or reference is not null);

-- The reference of a payment at the provider, derived in the same way.
alter table deposits add column provider_ref text unique;
update deposits set provider_ref = reference where type <> 'wire';
alter table deposits add constraint deposits_provider_ref check (provider_ref is null or type <> 'wire');
