/** Counts what was there before the triggers. It reads whole tables and locks nobody, who writes meanwhile included. */
export const name = '0121-tallies-filled';

export const up = `
select rebuild_tallies(list) from unnest(array[
  'payments', 'pruned_payments', 'entries', 'deliveries', 'audit', 'links', 'link_expiries', 'link_payments', 'plans',
  'subscriptions', 'merchants']) as l (list);
`;
