/** What is kept only for a time, and how it is found then. */
export const name = '0019-retention';

export const up = `
-- Which delivery was made again is asked of each one that is about to be deleted.
create index webhook_deliveries_redelivered on webhook_deliveries (redelivery_of) where redelivery_of is not null;
`;
