import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createWatchJob } from '../../src/chains/watch-job.ts';
import { openPaymentsOffering } from '../../src/deployment/unlisted.ts';
import type { Token } from '../../src/ports/chain.ts';
import { listUnlistedSince } from '../../src/unlisted.ts';
import { chainsOf } from '../support/chains.ts';
import { type Bench, depsOf, headOf, listSeen, openBench, readCursor } from './watch-fixture.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(async () => {
  // Its database is not used again: what it says about its chain stays.
  await bench.db.destroy();
  await bench.node.stop();
});

/** What the start of another process records. */
async function record({ symbol, contract, decimals }: Token): Promise<void> {
  await sql`insert into deployment_tokens (chain, contract, symbol, decimals)
    values ('eip155:31337', ${contract}, ${symbol}, ${decimals})`.execute(bench.db);
}

test('a process with a shorter list watches what another one offers, from the first transfer on', async () => {
  const { network } = bench;
  const usdt = network.tokens.find(({ symbol }) => symbol === 'USDT')!;
  const shorter = { ...network, tokens: network.tokens.filter((token) => token !== usdt) };
  await sql`insert into deployment_networks (chain, kind, name)
    values ('eip155:31337', 'evm', ${network.name})`.execute(bench.db);
  for (const token of shorter.tokens) await record(token);
  const startedAt = new Date();
  const { db, matchers, confirmationsOn, log } = depsOf(bench);
  const job = createWatchJob({
    ...{ db, matchers, confirmationsOn, log, networks: [shorter], chains: chainsOf(), worker: 'old' },
    ...{ now: () => new Date(), real: () => new Date() },
    listUnlisted: (trx, of) => listUnlistedSince(trx, of, startedAt),
  });
  job.start();
  const level = () =>
    vi.waitFor(async () => expect((await readCursor(bench.db)).height).toBe(await headOf(bench)), 60_000);
  try {
    await level();
    await record(usdt);
    const seen = (await listSeen(bench.db)).length;
    await bench.mint(bench.usdt, 33n);
    await level();
    expect((await listSeen(bench.db)).length).toBe(seen + 1);
    const incidents = await bench.db.selectFrom('incidents').select(['kind', 'subject', 'message']).execute();
    expect(incidents).toEqual([
      { kind: 'watcher.other_list', subject: network.name, message: expect.stringContaining(usdt.contract) },
    ]);
  } finally {
    await job.stop();
  }
});

test('open payments that offer a token are found by indexes of open payments alone, on any version of PostgreSQL', async () => {
  const plan = await bench.db.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const none = { contract: sql`null::text`, symbol: sql`null::text` };
    const { rows } = await sql<{ 'QUERY PLAN': string }>`
      explain select from ${openPaymentsOffering(sql`'bsc'::text`, none)}`.execute(trx);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });
  const used = [...plan.matchAll(/(?:using|Index Scan on) (payments_\w+)/g)].map(([, index]) => index);
  // Three indexes hold just the payments that wait for money.
  const ofOpen = ['payments_quoted', 'payments_overdue', 'payments_open'];
  const open = ofOpen.find((index) => used.includes(index));
  expect(new Set(used)).toEqual(new Set([open, 'payments_confirming', 'payments_collecting']));
  expect(plan).not.toContain('Seq Scan');
});
