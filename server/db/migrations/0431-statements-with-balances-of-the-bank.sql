-- Whether the importer entered the balances of a statement, and whether each of its receipts counts alone against the
-- threshold of dual approval (requirements 24.217). Servers of an earlier version write neither: what they import counts
-- together.
alter table statement_imports
  add column balances_entered boolean not null default false,
  add column counts_alone boolean not null default false;
update statement_imports set counts_alone = true where closing_minor is not null;
