/** Incidents are read, acknowledged and resolved over the API, and alerts tell of them. */
export const name = '0037-incidents-seen';

export const up = `
-- Alerts on their way: the outbox of the platform's own webhook. The body is what is signed and sent, attempt after attempt.
create table incident_alerts (
  id text primary key check (id like 'alt\\_%'),
  kind text not null,
  body text not null,
  created_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  next_attempt_at timestamptz not null,
  locked_by text,
  locked_until timestamptz,
  failure text,
  delivered_at timestamptz
);
create index incident_alerts_due on incident_alerts (next_attempt_at) where delivered_at is null;

alter table incidents
  -- Made by the database, so that an incident has an id whoever opens it, the last release included.
  add column public_id text generated always as ('inc_' || lpad(id::text, 26, '0')) stored,
  add column network text,
  add column count integer not null default 1 check (count > 0),
  add column last_seen_at timestamptz,
  add column acknowledged_at timestamptz,
  add column acknowledged_by text,
  add column resolved_by text,
  add column note text,
  add column logged_at timestamptz,
  add column alerted_at timestamptz,
  add column alert_id text references incident_alerts (id),
  add constraint incident_acknowledged check ((acknowledged_at is null) = (acknowledged_by is null)),
  add constraint incident_resolver check (resolved_by is null or resolved_at is not null),
  add constraint incident_alert check (alert_id is null or alerted_at is not null);
-- What is over already is no news.
update incidents set logged_at = resolved_at, alerted_at = resolved_at where resolved_at is not null;
create unique index incidents_public_id on incidents (public_id);
create index incidents_by_time on incidents (opened_at desc, id desc);
create index incidents_to_log on incidents (id) where logged_at is null;
create index incidents_to_alert on incidents (id) where alerted_at is null;
create index incidents_alerted on incidents (kind, subject, alerted_at) where alerted_at is not null;
create index incidents_of_alert on incidents (alert_id) where alert_id is not null;
`;
