-- When a letter's refusal was taken for the mail server's own fault: it refused everybody (decision 96).
alter table operations add column kept_at timestamptz;
create index operations_letters_kept on operations (kept_at) where kept_at is not null and state in ('waiting', 'sending');
create index operations_letters_refused on operations (sent_at) where kind = 'mail' and state = 'refused';
create index operations_letters_taken on operations (settled_at) where kind = 'mail' and state = 'done';
