/** What a search looks for texts in, apart from payments: their rows change, and each change writes all of their indexes. */
export const name = '0169-payment-texts';

/** What is looked for has at most 200 characters; twice as many are in both parts, since small letters may be more. */
const HEAD = 600;
const REST_FROM = 201;

const TEXT = (row: string) => `lower(concat_ws(E'\\x01', ${row}.description, ${row}.customer_email))`;
const COLUMNS = (row: string) => `${row}.merchant_id, ${row}.created_at, ${row}.id, left(t.text, ${HEAD}),
       case when length(t.text) > ${HEAD} then substr(t.text, ${REST_FROM}) end`;
const HAS = (row: string) => `(${row}.description is not null or ${row}.customer_email is not null)`;

export const up = `
-- Small letters. Only payments that have a description or an e-mail address are here; neither ever changes.
create table payment_texts (
  merchant_id text not null,
  created_at timestamptz not null,
  payment_id text not null,
  -- The description and the e-mail address, apart by a character that neither can have: the beginning, as far as an
  -- entry of an index can hold it.
  text text not null,
  -- Of a longer one, all but the first ${REST_FROM - 1} characters.
  rest text,
  primary key (merchant_id, created_at, payment_id) include (text)
) with (autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000,
        autovacuum_analyze_scale_factor = 0.02);
create index payment_texts_long on payment_texts (merchant_id, created_at, payment_id) where rest is not null;

create function note_payment_text() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from payment_texts
     where merchant_id = old.merchant_id and created_at = old.created_at and payment_id = old.id;
  end if;
  if tg_op <> 'DELETE' then
    insert into payment_texts (merchant_id, created_at, payment_id, text, rest)
    select ${COLUMNS('new')} from (values (${TEXT('new')})) as t (text) where ${HAS('new')}
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger text_noted after insert on payments for each row when (${HAS('new')})
  execute function note_payment_text();
create trigger text_forgotten after delete on payments for each row when (${HAS('old')})
  execute function note_payment_text();
-- A change that names neither column is not even looked at.
create trigger text_changed after update of id, merchant_id, created_at, description, customer_email on payments
  for each row execute function note_payment_text();

-- Notes the texts of all payments that were there before the triggers, or that came without them. It waits for no writer.
create function fill_payment_texts() returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  noted bigint;
begin
  insert into payment_texts (merchant_id, created_at, payment_id, text, rest)
  select ${COLUMNS('p')} from payments p cross join lateral (values (${TEXT('p')})) as t (text) where ${HAS('p')}
  on conflict do nothing;
  get diagnostics noted = row_count;
  return noted;
end $$;
revoke execute on function fill_payment_texts from public;
`;
