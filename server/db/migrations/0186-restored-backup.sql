-- A restored backup carries a mark in its PostgreSQL's own configuration; no server starts until `operator restored` has
-- noted it here (ADR 194).
alter table database_identity add column restored_backup text;
