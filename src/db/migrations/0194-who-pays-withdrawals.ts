/** Who began to pay a withdrawal, as refunds have it: from the four-eyes threshold on they do not fail it alone. */
export const name = '0194-who-pays-withdrawals';

export const up = `
alter table withdrawals add column processed_by text;

create function withdrawal_payer_stays() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'who began to pay withdrawal % never changes', old.id using errcode = 'check_violation';
end $$;

create trigger withdrawal_payer_stays before update on withdrawals for each row
  when (old.processed_by is not null and new.processed_by is distinct from old.processed_by)
  execute function withdrawal_payer_stays();
`;
