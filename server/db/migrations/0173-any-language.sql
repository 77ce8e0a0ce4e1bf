-- The languages of the product are declared in code (rules/choices.ts): a further one needs no migration (ADR 174).
alter table clients drop constraint clients_language_check;
alter table deposits drop constraint deposits_language_check;
