-- Whether the importer entered the balances of a statement is not known of imports by servers of an earlier version, and
-- false (0431) took them for the bank's. Recovery treats null like entered balances (requirements 24.217).
alter table statement_imports
  alter column balances_entered drop default,
  alter column balances_entered drop not null;
update statement_imports set balances_entered = null where not balances_entered;
