-- The two queues that had no index of what waits: their first page grew with all that had been decided.
create index profile_changes_waiting on profile_changes (requested_at, id) where state = 'pending';
create index professional_applications_waiting on professional_applications (submitted_at, id)
  where state in ('pending', 'more_asked');
