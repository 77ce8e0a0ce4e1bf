-- The current or coming absence of a person, in calendar days of the firm's zone; both days are part of it (ADR 292).
alter table staff add column away_from date, add column away_until date,
  add constraint staff_away_check check ((away_from is null) = (away_until is null) and away_from <= away_until);
