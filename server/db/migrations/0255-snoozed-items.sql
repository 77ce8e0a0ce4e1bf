-- Until when an item is out of the list of the inbox; it stays open and is late from its due time on (requirements 24.7).
alter table work_items add column snoozed_until timestamptz;
