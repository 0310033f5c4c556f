/** What was parked of what the collector said is tried again, oldest first. */
export const name = '0028-parked-events';

export const up = `
create index collector_events_parked on collector_events (parked_at) where applied_at is null and parked_at is not null;
`;
