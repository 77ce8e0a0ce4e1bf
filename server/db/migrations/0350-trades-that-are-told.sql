-- Whether a platform tells trades at all: a MetaTrader 4 gateway of the contract's first edition does not (ADR 275).
alter table deal_cursors add column trades_told boolean not null default true;
