import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inSnapshot } from '../../src/db/transaction.ts';
import { listPaymentFacts } from '../../src/reconcile/ledger-facts.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { tamperOnly, withWorld } from './reconcile-fixture.ts';

test('payments with thousands of transfers are examined a few at a time, and all of them', () =>
  withWorld(async (world) => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) ids.push((await world.create()).id);
    await tamperOnly(world, sql`update payments set credit_count = 4000`);
    const pageAfter = async (after: string) =>
      (await inSnapshot(world.db, (trx) => listPaymentFacts(trx, after, 500))).map(({ id }) => id);
    expect(await pageAfter('')).toEqual(ids.slice(0, 2));
    expect(await pageAfter(ids[1]!)).toEqual(ids.slice(2));
    expect((await reconcile(world.db)).payments).toBe(4);
    // One alone may have more than a page.
    await tamperOnly(world, sql`update payments set credit_count = 6000`);
    expect(await pageAfter(ids[2]!)).toEqual([ids[3]]);
    expect(await pageAfter('')).toEqual([ids[0]]);
  }));
