-- One change of an account's group or leverage at a time is sent to its platform: two sent together could arrive in
-- either order. Those in progress are sent again, which is harmless (requirements 18.15, 24.150).
update operations set state = 'waiting', lease = null, lease_until = null
  where kind in ('set-status', 'set-leverage') and state = 'sending';
create unique index operations_one_change on operations (target)
  where kind in ('set-status', 'set-leverage') and state = 'sending';
