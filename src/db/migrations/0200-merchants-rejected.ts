/**
 * The time of a merchant's last rejection, which a trigger keeps for every release: a merchant that asks for another
 * review does not collect before it is approved, also where those that were never looked at may.
 */
export const name = '0200-merchants-rejected';

export const up = `
alter table merchants add column rejected_at timestamptz;

update merchants m set rejected_at = coalesce(
  (select max(a.created_at) from audit_log a where a.merchant_id = m.id and a.action = 'merchant.reject'), m.updated_at)
where m.status = 'rejected' or (m.status = 'pending_verification' and exists (
  select from audit_log a where a.merchant_id = m.id and a.action = 'merchant.reject'));

create function keep_rejection() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.rejected_at := new.updated_at;
  return new;
end $$;
create trigger keep_rejection before update of status on merchants for each row
  when (new.status = 'rejected' and old.status is distinct from 'rejected') execute function keep_rejection();

alter table merchants add constraint rejections_are_dated check (status <> 'rejected' or rejected_at is not null);
`;
