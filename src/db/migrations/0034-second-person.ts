/**
 * What tells two people apart, and when somebody approved: who made an administrator's account, who last set its
 * credentials, and the network's own time at the approval of a withdrawal.
 */
export const name = '0034-second-person';

export const up = `
alter table withdrawals add column approved_chain_time timestamptz;

create function withdrawal_approval_stays() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'withdrawal % was approved already', old.id using errcode = 'check_violation';
end $$;

create trigger withdrawal_approval_stays before update on withdrawals for each row
  when (old.status <> 'pending' and new.approved_chain_time is distinct from old.approved_chain_time)
  execute function withdrawal_approval_stays();

alter table admins
  add column created_by text references admins (id),
  add column credentials_by text references admins (id),
  add column credentials_at timestamptz,
  add constraint admins_not_self_made check (created_by <> id and credentials_by <> id),
  add constraint admins_credentials_told check ((credentials_by is null) = (credentials_at is null));

create function admin_maker_stays() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'who made administrator % never changes', old.id using errcode = 'check_violation';
end $$;

create trigger admin_maker_stays before update on admins for each row
  when (new.created_by is distinct from old.created_by)
  execute function admin_maker_stays();
`;
