-- A statement whose drawing failed is a failed operation, as those that are being checked for long are (ADR 241).
alter table month_ends drop constraint month_ends_problem_check,
  add constraint month_ends_problem_check check (problem in ('not-agreed', 'not-read', 'fonts-missing', 'not-drawn'));
