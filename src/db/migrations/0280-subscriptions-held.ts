/**
 * Since when a subscription is held because its customer can't agree at present, and when its retries last started over
 * for that. A worker of the release before leaves both as they are. Null: not held, and not started over.
 */
export const name = '0280-subscriptions-held';

export const up = `
alter table subscriptions add column held_since timestamptz, add column retries_anew_at timestamptz;
`;
