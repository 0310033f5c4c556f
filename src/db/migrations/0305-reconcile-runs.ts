/**
 * When each nightly comparison began and ended. One whose process was killed left nothing, so its night looked like one
 * without findings.
 */
export const name = '0305-reconcile-runs';

export const up = `
create table reconcile_runs (
  scope text primary key check (scope in ('ledger', 'chains')),
  began_at timestamptz not null,
  -- Null: it runs, or did not come to its end.
  ended_at timestamptz
);
`;
