-- What clients and others write to the firm, with the answers; complaints among it have a due date and an outcome of their
-- own (requirements 24.40 to 24.43). A person who writes without signing in leaves a name and an email address instead of a client.
create table enquiries (
  id uuid primary key default uuidv7(),
  reference text not null unique,
  client_id uuid references clients (id),
  name text,
  email citext,
  language text not null check (language in ('en', 'de')),
  topic text not null check (topic in ('payments', 'accounts', 'profile', 'technical', 'other')),
  complaint boolean not null,
  about_kind text check (about_kind in ('deposit', 'withdrawal', 'transfer')),
  about uuid,
  about_reference text,
  state text not null default 'open' check (state in ('open', 'answered', 'closed')),
  asked_at timestamptz not null,
  due_at timestamptz not null,
  changed_at timestamptz not null,
  outcome text check (outcome in ('upheld', 'partly_upheld', 'rejected')),
  concluded_at timestamptz,
  decided_by uuid references staff (id),
  version integer not null default 1,
  check ((client_id is null) = (email is not null)),
  check ((email is null) = (name is null)),
  check ((about is null) = (about_kind is null) and (about is null) = (about_reference is null)),
  check (outcome is null or complaint),
  check ((outcome is null) = (concluded_at is null))
);
create index enquiries_listed on enquiries (asked_at, id);
create index enquiries_by_state on enquiries (state, asked_at, id);
create index enquiries_of_client on enquiries (client_id, asked_at) where client_id is not null;
create index enquiries_without_client on enquiries (changed_at) where client_id is null;
create index complaints_listed on enquiries (asked_at, id) where complaint;

-- Without a member of staff it is the client's, or the sender's.
create table enquiry_messages (
  id uuid primary key default uuidv7(),
  enquiry_id uuid not null references enquiries (id) on delete cascade,
  client_id uuid references clients (id),
  staff_id uuid references staff (id),
  text text not null,
  -- It gives a complaint's outcome.
  concludes boolean not null default false,
  written_at timestamptz not null
);
create index enquiry_messages_of on enquiry_messages (enquiry_id, written_at, id);
create index enquiry_messages_of_client on enquiry_messages (client_id) where client_id is not null;
