-- Accounts at the platforms that were opened in the lost time and that this database does not have: disabled there until
-- staff decide (mechanics section 13, ADR 149).
create table recovery_accounts (
  platform text not null check (platform in ('MT4', 'MT5')),
  login text not null,
  recovery uuid not null references recovery (id),
  group_name text not null,
  -- When the platform says that it was opened; null where the operator's list named it.
  opened_at timestamptz,
  found_at timestamptz not null,
  -- Null until the platform has said that it is disabled.
  disabled_at timestamptz,
  primary key (platform, login)
);
