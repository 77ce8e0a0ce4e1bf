-- What a sign-in, a new link and a second factor look up by their owner; ended sessions too, for the new-device letter.
create index sessions_of_client on sessions (client_id, created_at) where client_id is not null;
create index sessions_of_registration on sessions (registration_id) where registration_id is not null;
create index one_time_links_client on one_time_links (client_id, purpose) where client_id is not null;
create index one_time_links_registration on one_time_links (registration_id) where registration_id is not null;
create index one_time_links_staff on one_time_links (staff_id, purpose) where staff_id is not null;
create index recovery_codes_client on recovery_codes (client_id) where client_id is not null;
create index recovery_codes_staff on recovery_codes (staff_id) where staff_id is not null;
create index registrations_unconfirmed on registrations (created_at) where client_id is null;
