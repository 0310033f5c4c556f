/** How many payments a link takes, what it asks of its payers, what they answered, and what they read once they have paid. */
export const name = '0101-links-that-sell';

export const up = `
-- custom_fields: [{key, label, kind, required, maxLength, min, max, options}].
alter table payment_links add column max_payments integer, add column custom_fields jsonb,
  add column thank_you text, add column thank_you_url text;
-- What the payer answered: [{key, label, value}]; null when nothing was asked, or nothing answered.
alter table payments add column custom_fields jsonb;
-- Not validated: no row has any yet, and none has to be looked at.
alter table payment_links add constraint payment_link_max_payments
  check (max_payments between 1 and 1000000) not valid;
alter table payment_links add constraint payment_link_custom_fields
  check (custom_fields is null or
         (jsonb_typeof(custom_fields) = 'array' and jsonb_array_length(custom_fields) between 1 and 5)) not valid;
alter table payment_links add constraint payment_link_thank_you_url check (thank_you_url ~ '^https://') not valid;
alter table payments add constraint payment_custom_fields
  check (custom_fields is null or
         (source = 'link' and jsonb_typeof(custom_fields) = 'array'
          and jsonb_array_length(custom_fields) between 1 and 5)) not valid;

-- Never oversold, whoever inserts: also a process of the release before, which does not know of places. The row lock puts
-- those who start payments of one link in a row; the count behind it sees what those before have committed.
create function check_link_has_a_place() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  most integer;
begin
  select max_payments into most from payment_links where id = new.link_id;
  if most is null then
    return new;
  end if;
  perform from payment_links where id = new.link_id for no key update;
  if (select count(*) from payments where link_id = new.link_id
        and status in ('initiated', 'pending', 'confirming', 'paid')) >= most then
    raise exception 'payment link % has no place left', new.link_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
-- A payment that was removed and comes back by its money is over, and takes no place.
create trigger payment_has_a_place before insert on payments
  for each row when (new.link_id is not null and new.status = 'initiated') execute function check_link_has_a_place();

-- What payers wrote about themselves goes with a payment that nobody paid, like their address.
create function forget_custom_fields() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.row_then := new.row_then - 'custom_fields';
  return new;
end $$;
create trigger pruned_payment_forgets before insert on pruned_payments
  for each row execute function forget_custom_fields();
`;
