/** Transfers that payers sign for Permit2, with an allowance (ERC-2612) beside them where the token takes one. */
export const name = '0109-relay-methods';

export const up = `
alter table relays
  -- By which contract: the token's own (ERC-3009), or Permit2.
  add column method text not null default 'erc3009' check (method in ('erc3009', 'permit2')),
  -- The allowance, and the last second at which the token takes it, since 1970.
  add column permit_signature text check (permit_signature ~ '^0x[0-9a-f]{130}$'),
  add column permit_deadline bigint,
  drop constraint relays_reason_check;
alter table relays
  add constraint relays_reason_check
    check (reason in ('balance', 'spent', 'changed', 'too_late', 'token', 'allowance', 'wallet')),
  add constraint relay_permit_is_whole check ((permit_signature is null) = (permit_deadline is null)),
  add constraint relay_permit_is_for_permit2 check (permit_signature is null or method = 'permit2');

-- As before, of the new columns, too.
create function check_relay_signed() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.status not in ('signed', 'refused') and
     (old.method, old.permit_signature, old.permit_deadline) is distinct from
     (new.method, new.permit_signature, new.permit_deadline) then
    raise exception 'relay of % is on its way', old.payment_id using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger relay_keeps_signed before update on relays for each row execute function check_relay_signed();
`;
