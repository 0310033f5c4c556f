/** A reorg makes a confirmed transaction of ours a mined one, so that it is judged again, whatever the scan has kept. */
export const name = '0056-doubted-transactions';

export const up = `
create or replace function operator_transaction_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  -- A reorg takes back what was mined; a chain that came back older than this database takes back even what was confirmed.
  -- What was confirmed in a block that the scan was walked back from is only mined again, until the chain was asked.
  if new.status <> old.status and not (old.status || '>' || new.status = any (array[
    'signed>sent', 'signed>mined', 'sent>mined', 'sent>dropped', 'mined>sent', 'mined>confirmed', 'confirmed>sent']))
    and not (old.status = 'confirmed' and new.status = 'mined'
      and new.block_number > (select confirmed_height from chain_cursors c where c.network = new.network)) then
    raise exception 'operator transaction % can not move from % to %', old.id, old.status, new.status
      using errcode = 'check_violation';
  end if;
  if new.status = old.status and old.finished_at is not null and new is distinct from old then
    raise exception 'operator transaction % is %, which does not change', old.id, old.status using errcode = 'check_violation';
  end if;
  if (new.id, new.network, new.address, new.nonce, new.purpose, new.subject, new.to_address, new.gas_limit, new.created_at)
      is distinct from (old.id, old.network, old.address, old.nonce, old.purpose, old.subject, old.to_address, old.gas_limit,
      old.created_at) then
    raise exception 'operator transaction % can not change what was asked', old.id using errcode = 'check_violation';
  end if;
  if new.attempt <> old.attempt and (new.attempt <> old.attempt + 1 or new.status <> 'sent' or old.status <> 'sent') then
    raise exception 'operator transaction % can only be replaced by its next attempt while it waits', old.id
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
`;
