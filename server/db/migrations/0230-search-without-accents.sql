-- Names are found with or without their accents: "novak" finds "Novák", "strasse" finds "Straße".
-- Each word begins after a space, the first one too, so that an index finds beginnings of words.
create function search_text(words text) returns text
  language sql immutable strict parallel safe
  return lower(replace(replace(replace(translate(regexp_replace(normalize(words, NFD), '[\u0300-\u036f]', '', 'g'),
    'øØłŁđĐıħĦðÐ', 'oOlLdDihHdD'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'));

drop index clients_name;
create index clients_search on clients
  using gin (search_text(' ' || name || ' ' || surname || ' ' || email::text) gin_trgm_ops);
create index bank_details_account_number on bank_details (account_number) where account_number is not null;
