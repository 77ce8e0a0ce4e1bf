-- The card provider's own id of a payment, known to recovery as well: it is asked and refunded by it (ADR 204).
alter table recovery_items add column payment_id text;
alter table recovery_webhooks add column payment_id text;
-- A payment is one item, whether its checkout was named or not.
create unique index recovery_items_payment on recovery_items (payment_id) where payment_id is not null;
create index deposits_payment on deposits (payment_id) where payment_id is not null;
