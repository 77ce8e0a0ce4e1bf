-- The inbox opens with the filter that this person used last (product-decisions 12); null until one has been chosen.
alter table staff add column inbox_filter jsonb;
