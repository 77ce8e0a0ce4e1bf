-- A payment method is a row of rules/payment-methods.ts; the schema of the calls lets no other in. The list stood here a
-- second time, so that each new method needed a migration.
alter table deposits drop constraint deposits_type_check;
