/** A login knows the devices and addresses of earlier successes, and attempts that are being checked are told apart. */
export const name = '0035-login-devices';

export const up = `
alter table login_throttle
  add column pending integer not null default 0,
  add column pending_until timestamptz;

create table login_devices (
  principal_type text not null check (principal_type in ('merchant', 'admin')),
  principal_id text not null,
  device text not null check (device ~ '^(address:.+|token:[0-9a-f]{64})$'),
  last_used_at timestamptz not null,
  primary key (principal_type, principal_id, device)
);
create index login_devices_by_age on login_devices (last_used_at);
`;
