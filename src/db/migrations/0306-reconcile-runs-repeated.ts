/**
 * When a nightly comparison was last known to run, and how often it was begun. One whose process was killed was not
 * repeated before the next night.
 */
export const name = '0306-reconcile-runs-repeated';

export const up = `
alter table reconcile_runs
  -- By the database's clock. Before began_at: a process of the release before has begun it, which does not say.
  add column alive_at timestamptz,
  -- Of one night.
  add column attempt smallint not null default 1;
`;
