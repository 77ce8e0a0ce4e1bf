-- A balance deal that nobody here asked for holds its account until two people of finance decide it (mechanics section 1).
alter table platform_figures add column deals_known_at timestamptz;

alter table differences drop constraint differences_state_check;
alter table differences add constraint differences_state_check
  check (state in ('open', 'proposed', 'processing', 'settled', 'explained', 'gone'));
alter table differences add column proposed_by uuid references staff (id);
alter table differences add column proposed_at timestamptz;
alter table differences add column proposal text check (proposal in ('book-correction', 'book-result', 'reverse', 'explain'));
alter table differences add column proposal_reason text;
-- Of the reversal at the platform, derived from platform and ticket.
alter table differences add column reference text unique;
alter table differences add constraint differences_two_people check (decided_by is null or decided_by <> proposed_by);
alter table differences add constraint differences_proposal check ((proposal is null) = (proposed_by is null));
alter table differences add constraint differences_proposed check (state not in ('proposed', 'processing', 'settled') or proposal is not null);

-- One row at most for what still stands, whoever looks at it.
create unique index differences_standing on differences (fingerprint) where state in ('open', 'proposed', 'processing');
drop index differences_open;
create index differences_account on differences (account_id) where state in ('open', 'proposed', 'processing');
