/** Endpoints that merchants configure, and deliveries found by their event. */
export const name = '0011-webhook-endpoints';

export const up = `
alter table webhook_endpoints
  add constraint webhook_endpoint_reason check (disabled_reason in ('merchant', 'gone', 'failing')),
  add constraint webhook_endpoint_types check (cardinality(event_types) > 0);

-- Whether an event has reached anybody is asked of every event that is recovered.
create index webhook_deliveries_by_event on webhook_deliveries (event_id, created_at desc);
`;
