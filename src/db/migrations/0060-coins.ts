/**
 * Makes room for coins whose price moves, and for transactions that wait to be mined. `arrived_at` is when a transfer was
 * seen before its block; `rate` what its value was computed by; `spends` the outputs that its transaction spends;
 * `gone_because` and `replaced_by` say why one that waited is not canonical. Of a cursor, `read_to` is the time up to
 * which everything that arrives is stored, where that is not its block's time; `depths` are the confirmations that
 * larger worths ask for.
 */
export const name = '0060-coins';

export const up = `
alter table credits
  add column arrived_at timestamptz,
  add column rate jsonb,
  add column spends text[],
  add column gone_because text,
  add column replaced_by text;
alter table credits
  add constraint credits_gone_because_check check (gone_because in ('replaced', 'dropped')) not valid;
alter table chain_cursors
  add column read_to timestamptz,
  add column depths jsonb;
`;
