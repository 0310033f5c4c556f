/**
 * Passes over what waits and can not be worked on. Signed mandates that are held back, as those of wallets without
 * money, were read each second to find the ones to look at; and incidents that were over before alerts were turned on,
 * which stay for a year, every other second to find the ones of which to tell.
 */
export const name = '0314-passed-over';

/** Null once an alert has told of it. */
const NEWS_AT = `(case when alerted_at is not null then null
  when resolved_at is null then 'infinity'::timestamptz else opened_at end)`;

export const indexes = {
  mandates_to_look_at: `mandates (network, coalesce(relay_look_at, '-infinity'::timestamptz), submitted_at)
    where signature is not null and relayed_by is null and authorized_at is null and revoked_at is null`,
  incidents_of_news: `incidents (${NEWS_AT}) where ${NEWS_AT} is not null`,
};
