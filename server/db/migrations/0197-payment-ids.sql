-- The card provider's own id of the payment, kept when it is first seen: it outlives the checkout it was made in.
alter table deposits add column payment_id text;
