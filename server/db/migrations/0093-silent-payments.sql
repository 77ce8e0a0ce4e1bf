-- Since when the provider has given no answer about a payment: after a while a person looks at it (fault K19).
alter table deposits add column unanswered_since timestamptz;
