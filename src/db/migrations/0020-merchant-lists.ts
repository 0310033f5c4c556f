/** What keeps the list of merchants fast: by time, by state, and by what occurs in them. */
export const name = '0020-merchant-lists';

// The words of a text are what stands between spaces and ASCII punctuation: the same in every locale, unlike the classes of regular
// expressions. No extension is asked for: an index of all endings of all words finds every part of a word by its beginning.
export const up = `
create function merchant_words(said text) returns text[]
language plpgsql immutable set search_path = public, pg_temp as $$
begin
  return array_remove(string_to_array(
    translate(lower(said), E'!"#$%&''()*+,-./:;<=>?@[\\\\]^_\`{|}~\\t\\n\\r', repeat(' ', 35)), ' '), '');
end $$;

-- Dear, so that the planner looks into the index rather than at every merchant.
create function merchant_terms(id text, business_name text, email text, phone text) returns tsvector
language plpgsql immutable cost 10000 set search_path = public, pg_temp as $$
begin
  return array_to_tsvector(array(
    select substr(word, start)
      from unnest(merchant_words(concat_ws(' ', business_name, email, phone))) word, generate_series(1, length(word)) start
    union all select substr(id, 5)));
end $$;

-- Words have neither quotes nor backslashes, which would mean something here.
create function merchant_search(said text) returns tsquery
language plpgsql immutable set search_path = public, pg_temp as $$
begin
  return coalesce((select string_agg('''' || word || ''':*', ' & ')
    from unnest(merchant_words(regexp_replace(lower(said), '(^|\\s)mer_', ' ', 'g'))) word), '')::tsquery;
end $$;

create index merchants_by_terms on merchants using gin (merchant_terms(id, business_name, email, phone));
create index merchants_by_time on merchants (created_at desc, id desc);
create index merchants_by_status on merchants (status, created_at desc, id desc);
`;
