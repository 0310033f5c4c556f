/**
 * Changes of settings, roles and administrators that touch where money goes: proposed, approved by a second person where
 * there is one, and in effect after a delay. See decision settings/changes-of-money-wait.
 */
export const name = '0044-guarded-changes';

export const up = `
create table guarded_changes (
  id text primary key check (id like 'gch\\_%'),
  kind text not null check (kind in ('settings', 'role', 'admin')),
  -- The role or the administrator; 'platform' for settings.
  subject_id text not null,
  -- By name: what it was when it was proposed, and what it is to be.
  fields jsonb not null check (jsonb_typeof(fields) = 'object' and fields <> '{}'),
  status text not null check (status in ('proposed', 'approved', 'in_effect', 'cancelled', 'expired')),
  needs_approval boolean not null,
  proposed_by text not null references admins (id),
  proposed_at timestamptz not null,
  due_at timestamptz not null,
  expires_at timestamptz not null,
  approved_by text references admins (id),
  approved_at timestamptz,
  -- When it came into effect, was cancelled or expired; by whom, if a person cancelled it.
  ended_at timestamptz,
  ended_by text references admins (id),
  reason text,
  check (due_at >= proposed_at and expires_at > due_at),
  check ((kind = 'settings') = (subject_id = 'platform')),
  check (approved_by <> proposed_by),
  check ((approved_by is null) = (approved_at is null)),
  check (approved_by is null or needs_approval),
  check (status not in ('approved', 'in_effect') or not needs_approval or approved_by is not null),
  check ((status in ('in_effect', 'cancelled', 'expired')) = (ended_at is not null)),
  check (status <> 'in_effect' or ended_at >= due_at),
  check (ended_by is null or status = 'cancelled'),
  check ((status = 'cancelled') = (reason is not null))
);
create index guarded_changes_by_time on guarded_changes (proposed_at desc, id desc);
create index guarded_changes_open on guarded_changes (due_at) where status in ('proposed', 'approved');

create function guarded_change_moves() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not (old.status || '>' || new.status = any (array['proposed>approved', 'proposed>cancelled', 'proposed>expired',
    'approved>in_effect', 'approved>cancelled'])) then
    raise exception 'change % can not move from % to %', old.id, old.status, new.status using errcode = 'check_violation';
  end if;
  if (new.id, new.kind, new.subject_id, new.fields, new.needs_approval, new.proposed_by, new.proposed_at, new.due_at,
      new.expires_at) is distinct from (old.id, old.kind, old.subject_id, old.fields, old.needs_approval,
      old.proposed_by, old.proposed_at, old.due_at, old.expires_at) then
    raise exception 'change % can not change what was proposed', old.id using errcode = 'check_violation';
  end if;
  if old.status = 'approved'
     and (new.approved_by, new.approved_at) is distinct from (old.approved_by, old.approved_at) then
    raise exception 'change % was approved already', old.id using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger guarded_change_moves before update on guarded_changes
  for each row execute function guarded_change_moves();

-- What is proposed for one thing waits alone: two open changes of one field would overtake each other.
create function guarded_change_is_alone() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('guarded_changes'));
  if exists (select from guarded_changes o
              where o.status in ('proposed', 'approved') and o.kind = new.kind and o.subject_id = new.subject_id
                and exists (select from jsonb_object_keys(o.fields) as k where new.fields ? k)) then
    raise exception 'another change of this waits already' using errcode = 'unique_violation';
  end if;
  return new;
end $$;
create trigger guarded_change_is_alone before insert on guarded_changes
  for each row execute function guarded_change_is_alone();

create trigger guarded_changes_stay before delete on guarded_changes
  for each row execute function refuse_change();
create trigger guarded_changes_no_truncate before truncate on guarded_changes
  for each statement execute function refuse_change();

-- Until when an administrator could approve such changes: whoever takes that right away does not become their only judge.
alter table admins add column approver_until timestamptz;
`;
