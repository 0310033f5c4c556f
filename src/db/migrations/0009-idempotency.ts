/** Requests that carry an idempotency key, and the answers that they got. */
export const name = '0009-idempotency';

export const up = `
-- The id is a hash of whose key it is, for which operation, and the key. Bodies are sealed. A row without an answer is the claim of a
-- request that works outside a transaction; its time runs out soon, so that a process that died does not hold the key for long. There are
-- few constraints here because a row is written with every request that creates something, and each of them is read anew for it.
create table idempotency_keys (
  id bytea primary key,
  merchant_id text not null,
  request_id text not null,
  fingerprint bytea not null,
  status smallint,
  body bytea,
  expires_at timestamptz not null,
  check ((status is null) = (body is null))
);
-- What is sealed can not be compressed.
alter table idempotency_keys alter column body set storage external;
create index idempotency_keys_by_expiry on idempotency_keys (expires_at);

-- Takes the key for the rest of the transaction, or says that another one has it; then reads what is stored under it. Lock first, look
-- second, each with a snapshot of its own (the function is volatile): one statement for both would look with a snapshot from before the
-- lock, and miss what its last holder has just committed.
create function take_idempotency_key(wanted bytea, lock bigint, at timestamptz,
  out taken boolean, out fingerprint bytea, out status smallint, out body bytea)
language plpgsql volatile as $$
begin
  taken := pg_try_advisory_xact_lock(lock);
  if taken then
    select k.fingerprint, k.status, k.body into fingerprint, status, body
      from idempotency_keys k where k.id = wanted and k.expires_at > at;
  end if;
end $$;
`;
