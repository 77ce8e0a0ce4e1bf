-- Banks by country and bank code, imported by the firm from a table with a date (requirements 24.15). A table replaces the
-- banks of the countries that it names.
create table bank_directories (
  country text primary key check (country ~ '^[A-Z]{2}$'),
  as_of date not null,
  filename text not null,
  imported_by uuid not null references staff (id),
  imported_at timestamptz not null
);
create table directory_banks (
  country text not null references bank_directories (country) on delete cascade,
  bank_code text not null check (bank_code ~ '^[A-Z0-9]{2,12}$'),
  bic text not null,
  name text not null,
  primary key (country, bank_code)
);
