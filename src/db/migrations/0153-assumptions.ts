/**
 * What a statement calls when something that a request assumed does not hold, such as that its caller is as it was
 * proven to be: it ends the transaction, with a code of its own.
 */
export const name = '0153-assumptions';

export const up = `
create function refuse_assumption() returns void language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'what the request assumed does not hold' using errcode = 'KA001';
end $$;
`;
