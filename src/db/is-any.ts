import { type RawBuilder, sql } from 'kysely';

/**
 * Whether there are such rows: a table and a condition, in the order of the index that has them. Not `exists`, which
 * forgets an order: once statistics know of many rows that wait, or a value is not known yet, the planner reads the
 * whole table for it in the hope of an early one, which never comes while none is due.
 */
export const isAny = (rows: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`((select true from ${rows} limit 1) is true)`;
