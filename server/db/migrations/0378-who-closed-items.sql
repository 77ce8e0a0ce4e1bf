-- Which person of staff closed an item; null if nobody did (a client cancelled, something expired or was settled
-- automatically). Turnaround counts the items that somebody closed. Of older items the events of that instant tell, and
-- of withdrawals the batch that took them over.
alter table work_items add column closed_by uuid references staff (id);
update work_items w set closed_by = coalesce(
    (select s.id from events e join staff s on s.id = e.actor_id
      where e.kind = w.kind and e.record = w.record and e.actor = 'staff' and e.at = w.closed_at limit 1),
    case w.kind
      when 'document' then (select s.id from events e join staff s on s.id = e.actor_id
        where e.client_id = w.client_id and e.kind in ('document', 'client') and e.actor = 'staff' and e.at = w.closed_at limit 1)
      when 'withdrawal' then (select b.created_by from payout_batch_payments p join payout_batches b on b.id = p.batch_id
        where p.withdrawal_id = w.record and b.created_at = w.closed_at limit 1)
    end)
  where closed_at is not null;
