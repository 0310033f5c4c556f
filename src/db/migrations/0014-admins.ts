/** Roles of administrators, and what is known of their logins. */
export const name = '0014-admins';

export const up = `
create table roles (
  id text primary key check (id like 'role\\_%'),
  name text not null unique check (name ~ '^[a-z][a-z0-9]*(_[a-z0-9]+)*$'),
  description text not null,
  -- Empty for the super role, which holds whatever there is, also what comes later.
  permissions text[] not null check (array_position(permissions, null) is null),
  is_super boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (not is_super or permissions = '{}')
);
create unique index roles_super on roles (is_super) where is_super;

insert into roles (id, name, description, permissions, is_super, created_at, updated_at) values
  ('role_00000000000000000000000001', 'super_admin', 'Holds every permission.', '{}', true,
   clock_timestamp(), clock_timestamp()),
  ('role_00000000000000000000000002', 'support_agent', 'Looks things up, and changes nothing.',
   '{merchants.view,withdrawals.view,audit_logs.view}', false, clock_timestamp(), clock_timestamp());

create function super_role_stays() returns trigger language plpgsql as $$
begin
  if old.is_super then
    raise exception 'the role % stays as it is', old.name using errcode = 'integrity_constraint_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger super_role_stays before update or delete on roles for each row execute function super_role_stays();

alter table admins add column role_id text references roles (id), add column last_login_at timestamptz;
update admins set role_id = roles.id from roles where roles.name = admins.role;
alter table admins alter column role_id set not null, drop column role;
create index admins_by_role on admins (role_id);
create index admins_by_time on admins (created_at desc, id desc);

alter table sessions drop constraint sessions_ended_reason_check;
alter table sessions add constraint sessions_ended_reason_check check (ended_reason in
  ('logout', 'revoked', 'reuse', 'password_changed', 'two_factor_changed', 'terminated', 'deactivated'));
`;
