/**
 * What a statement calls when the caller of a request is no longer as it was proven to be: it ends the transaction, with
 * a code of its own.
 */
export const name = '0153-stale-callers';

export const up = `
create function refuse_stale_caller() returns void language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'the caller has changed since it was proven' using errcode = 'KA001';
end $$;
`;
