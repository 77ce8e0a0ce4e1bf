-- True from the moment a colleague assigned the item until its assignee has looked at it.
alter table work_items add column assigned_unseen boolean not null default false;
