-- Pages of trades and their totals are read from indexes alone only where VACUUM has marked the table's pages. By
-- default it comes after a fifth of the table is new, and the newest trades, which are read most, wait for it longest.
alter table closed_trades set (autovacuum_vacuum_insert_threshold = 250, autovacuum_vacuum_insert_scale_factor = 0);
alter table trade_sums set (autovacuum_vacuum_insert_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_scale_factor = 0.01);
