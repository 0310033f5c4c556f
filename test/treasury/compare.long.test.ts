import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { stateOfNext } from '../../scripts/liars/lies.ts';
import { startLiar } from '../../scripts/liars/proxy.ts';
import type { Payment } from '../../src/payments/types.ts';
import { allFindings, reconcileChains } from '../../src/reconcile/chains.ts';
import { reconcileJobs } from '../../src/reconcile/jobs.ts';
import { reconcile as reconcileLedger } from '../../src/reconcile/reconcile.ts';
import { chainsOf } from '../support/chains.ts';
import { copyCredits } from '../support/copy-credits.ts';
import { connectOwner } from '../support/database.ts';
import { START } from '../support/payments.ts';
import { openTreasury, type Treasury } from './fixture.ts';

const USDT = 1_000_000n;

let treasury: Treasury;
beforeAll(async () => {
  treasury = await openTreasury();
});
afterAll(() => treasury.close());

/** A payment to which this much was paid, in blocks that are scanned and confirmed. */
async function paid(units: bigint): Promise<Payment> {
  const payment = await treasury.world.create();
  await treasury.pay(treasury.addressOf(payment), units);
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan(payment);
  return payment;
}

/** A credit that no transfer made: a copy of that of a payment, not applied yet, with these members instead. */
const copyUnapplied = ({ id }: Payment, differing: RawBuilder<unknown>) =>
  copyCredits(
    database(),
    sql`c.payment_id = ${id}`,
    sql`jsonb_build_object(${differing}, 'applied_at', null, 'booked_micro', null, 'counted', null)`,
  );

/** Runs `npx kasi reconcile`. */
const reconcile = (...args: string[]) => treasury.run('reconcile.ts', ...args);
const database = () => treasury.world.db;

/** The findings of the same in this process, in words. */
async function compare(network = treasury.network): Promise<string[]> {
  const { world } = treasury;
  const deps = { db: world.db, networks: [network], chains: chainsOf(network) };
  const chains = await reconcileChains(deps, { now: START });
  for (const outcome of chains.outcomes.values()) if (outcome.kind === 'failed') throw outcome.error;
  const { findings } = await reconcileLedger(world.db);
  return [...findings, ...allFindings(chains)].map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`);
}

/** The findings of a run, without the summary and the figures. */
const findings = (out: string): string[] => out.split('\n').filter((line) => /^[a-z]+\.[a-z_]+: /.test(line));

test('deposits that lie where they arrived, were swept by a stranger, or never went through us are explained', async () => {
  const [lying, swept] = [await paid(100n * USDT), await paid(40n * USDT)];
  await treasury.sweepAsStranger(swept);
  await treasury.pay(treasury.network.treasury, 7n * USDT);
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan();
  const { out, code, err } = await reconcile();
  expect({ findings: findings(out), code, err }).toEqual({ findings: [], code: 0, err: '' });
  expect(out).toContain('2 deposit addresses were compared');
  expect(out).toMatch(/USDT: treasury 47 \(swept 40, collected 0, foreign 7, spent 0\); unswept 100; stuck 0/);
  const left = await database().selectFrom('credits').select('payment_id').where('swept_at', 'is', null).execute();
  expect(left.map(({ payment_id }) => payment_id)).toEqual([lying.id]);
});

test('a credit that no transfer made, and money that was booked from nowhere, are found', async () => {
  const payment = await paid(5n * USDT);
  await copyUnapplied(payment, sql`'id', 'crd_byhand', 'tx_hash', '0xhand'`);
  await treasury.world.apply(payment);
  const { out, code } = await reconcile();
  expect({ findings: findings(out), code }).toEqual({
    findings: [
      `chain.deposit: ${treasury.addressOf(payment).toLowerCase()}: it holds 5 USDT, 5 USDT less than was credited and not swept: a credit that no transfer on the chain made`,
    ],
    code: 1,
  });
  // It is found every night until it is mended, and forgotten then.
  expect(await compare()).toHaveLength(1);
  await sql`update credits set canonical = false, applied_at = null where id = 'crd_byhand'`.execute(database());
  await treasury.world.apply(payment);
  expect(await compare()).toEqual([]);
});

test('a deposit that was never credited is found, also when a stranger has swept it', async () => {
  const [lying, gone] = [await paid(3n * USDT), await paid(4n * USDT)];
  await treasury.sweepAsStranger(gone);
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan();
  // The node had kept the transfers back: nothing was ever stored of them.
  for (const { id } of [lying, gone]) {
    await sql`update credits set canonical = false, applied_at = null where payment_id = ${id}`.execute(database());
    await treasury.world.apply({ ...lying, id });
  }
  const found = await compare();
  expect(found.toSorted()).toEqual(
    [
      `chain.deposit: ${treasury.addressOf(lying).toLowerCase()}: it holds 3 USDT, 3 USDT more than was credited and not swept: a deposit that was never credited`,
      `chain.deposit: ${treasury.addressOf(gone).toLowerCase()}: it holds 0 USDT, 4 USDT more than was credited and not swept: a deposit that was never credited`,
    ].toSorted(),
  );
  await sql`
    update credits set canonical = true, applied_at = null
     where payment_id in (${lying.id}, ${gone.id})`.execute(database());
  for (const payment of [lying, gone]) await treasury.world.apply(payment);
  expect(await compare()).toEqual([]);
});

test('what was credited under another name of the chain is found, and so is a chain that is credited twice', async () => {
  const payment = await paid(9n * USDT);
  await copyUnapplied(payment, sql`'id', 'crd_twice', 'network', 'oldnet'`);
  await treasury.world.apply(payment);
  const found = await compare();
  expect(found).toEqual([
    expect.stringMatching(/^credit\.one_chain: crd_\w+: one transfer was credited on .* which are the same chain$/),
    expect.stringMatching(/^chain\.unlisted: oldnet: 1 transfers of USDT, booked with 9, were credited/),
  ]);
  await sql`update credits set canonical = false, applied_at = null where id = 'crd_twice'`.execute(database());
  await treasury.world.apply(payment);
  expect(await compare()).toEqual([]);
});

test('a network that is no longer listed is named, and what its treasury held, and is nothing wrong', async () => {
  await sql`insert into deployment (id, mode, sealed_canary) values ('sandbox', 'sandbox', '')`.execute(database());
  onTestFinished(async () => {
    const owner = await connectOwner(treasury.world.database);
    for (const table of ['treasury_balances', 'treasury_cursors', 'chain_cursors'])
      await owner.query(`delete from ${table} where network = 'oldnet'`);
    await owner.query(`delete from deployment_tokens where chain = 'evm:4711'`);
    await owner.query(`delete from deployment_networks where chain = 'evm:4711'`);
    await owner.end();
  });
  await sql`
    insert into chain_cursors
      (network, genesis_hash, height, hash, block_time, confirmed_height, head_height, scanned_at)
    values ('oldnet', '0xold', 4711, '0xblock', '2026-01-01T00:00:00Z', 4700, 4711, now())`.execute(database());
  const peaceful = await reconcile();
  expect(peaceful).toMatchObject({ code: 0, err: '' });
  expect(peaceful.out).toMatch(/^nothing is wrong: /);
  expect(peaceful.out).toContain(
    'oldnet: was read up to block 4711 of 2026-01-01T00:00:00.000Z, and is not listed; what its treasury held was never compared\n',
  );
  await sql`
    insert into treasury_cursors (network, watched, first_height, height)
    values ('oldnet', '', 0, 4700)`.execute(database());
  await sql`
    insert into treasury_balances (network, contract, treasury, height, units)
    values ('oldnet', '0xgold', '0xtreasury', 4700, 47)`.execute(database());
  const { code, out } = await reconcile();
  expect(out).toMatch(/^nothing is wrong: /);
  expect(out).toContain('and is not listed: its treasury held 47 units 0xgold at block 4700. List it again, or');
  expect(code).toBe(0);
  // Its coin has no figures, and neither has a token that was never compared.
  await sql`
    insert into deployment_networks (chain, kind, name) values ('evm:4711', 'evm', 'oldnet')`.execute(database());
  await sql`
    insert into deployment_tokens (chain, contract, symbol, decimals)
    values ('evm:4711', '0xgold', 'USDT', 6), ('evm:4711', '0xnew', 'USDC', 6),
           ('evm:4711', '0x0000000000000000000000000000000000000000', 'ETH', 18)`.execute(database());
  expect((await reconcile()).out).toContain(
    'and is not listed: its treasury held 0.000047 USDT at block 4700; what it held of ETH, USDC is not known. List it',
  );
  // A token that was migrated has two contracts, of which one may hold something and the other is not known.
  const rename = (symbol: string) =>
    sql`update deployment_tokens set symbol = ${symbol} where contract = '0xnew'`.execute(database());
  await rename('USDT');
  expect((await reconcile()).out).toContain(
    'held 0.000047 USDT (0xgold) at block 4700; what it held of ETH, USDT (0xnew) is not known. List it',
  );
  await rename('USDC');
  await sql`update treasury_balances set units = 0 where network = 'oldnet'`.execute(database());
  expect((await reconcile()).out).toContain(
    'is not listed; its treasury held nothing of USDT when it was last compared; what it held of ETH, USDC is not known\n',
  );
  // Where money lies in outputs, those are compared, and not a treasury.
  await sql`update treasury_cursors set watched = 'outputs' where network = 'oldnet'`.execute(database());
  expect((await reconcile()).out).toContain(
    'is not listed; nothing that was credited there is unspent as far as is known, and what came back as change is not',
  );
});

const shiftBalance = (units: number) =>
  sql`
    update treasury_balances set units = units + ${units}
     where contract = ${treasury.network.tokens[0]?.contract}`.execute(database());

test('a treasury that does not hold what its transfers leave is found, and read again on request', async () => {
  await shiftBalance(-1);
  const found = await compare();
  expect(found).toEqual([expect.stringMatching(/^chain\.treasury: 0x\w+: it holds 51 USDT instead of 50.999999 USDT/)]);
  await shiftBalance(1);
  expect(await reconcile('--all', '--reread', 'devnet')).toMatchObject({ code: 0 });
  expect(await reconcile('--reread', 'elsewhere')).toMatchObject({
    code: 1,
    err: expect.stringContaining('never read'),
  });
});

test('a network that could not be compared is named in the verdict, which does not say that nothing is wrong', async () => {
  const { factory } = treasury.network;
  const code = await treasury.node.rpc('eth_getCode', [factory, 'latest']);
  await treasury.node.rpc('anvil_setCode', [factory, '0x60006000fd']);
  onTestFinished(async () => void (await treasury.node.rpc('anvil_setCode', [factory, code])));
  const failed = await reconcile('--all');
  expect(failed.out).toMatch(
    /^nothing was found, but devnet could not be compared with its chain: \d+ payments, .* were checked\ndevnet: could not be compared: .*\n$/,
  );
  expect(failed).toMatchObject({ code: 1, err: '' });
});

test('a treasury of a network that is not listed is not read again, and nothing of it is forgotten', async () => {
  await sql`
    insert into treasury_cursors select (jsonb_populate_record(c, '{"network": "gone"}')).* from treasury_cursors c
     where network = 'devnet'`.execute(database());
  const cursor = () =>
    database().selectFrom('treasury_cursors').selectAll().where('network', '=', 'gone').executeTakeFirst();
  const before = await cursor();
  const refused = await reconcile('--reread', 'gone');
  expect(refused).toMatchObject({
    code: 1,
    err: 'No network "gone" is listed in KASI_NETWORKS, so its treasury is never read here. Listed: devnet.\n',
  });
  expect(await cursor()).toEqual(before);
});

test('the nightly run opens an incident for what is unexplained and for a chain that keeps silent, until both end', async () => {
  const night = async (network = treasury.network) => {
    const deps = { db: database(), networks: [network], chains: chainsOf(network), log: () => undefined };
    const job = reconcileJobs(deps).find(({ name }) => name === 'settlements.reconcile-chains');
    await job?.run({ now: START, real: START, signal: new AbortController().signal });
    return database()
      .selectFrom('incidents')
      .select(['kind', 'subject'])
      .where('resolved_at', 'is', null)
      .where('kind', 'like', 'chain.%')
      .orderBy('kind', 'desc')
      .execute();
  };
  await shiftBalance(-1);
  const unexplained = { kind: 'chain.unexplained', subject: 'devnet' };
  expect(await night()).toEqual([unexplained]);
  const silent = { ...treasury.network, rpcUrl: 'http://127.0.0.1:9' };
  expect(await night(silent)).toEqual([unexplained, { kind: 'chain.uncompared', subject: 'devnet' }]);
  await shiftBalance(1);
  expect(await night()).toEqual([]);
});

test('a sweep that a deep reorg takes back is none any more: its deposit may hold money, and is swept again', async () => {
  const payment = await paid(6n * USDT);
  await treasury.sweepAsStranger(payment);
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan();
  expect(await compare()).toEqual([]);
  const swept = () =>
    database().selectFrom('credits').select('swept_at').where('payment_id', '=', payment.id).execute();
  expect(await swept()).toEqual([{ swept_at: START }]);
  await treasury.node.rpc('anvil_reorg', [3, []]);
  await treasury.node.rpc('anvil_mine', [1]);
  await treasury.scan();
  expect(await swept()).toEqual([{ swept_at: null }]);
  expect(await compare()).toEqual([]);
  await treasury.sweepAsStranger(payment);
  await treasury.node.rpc('anvil_mine', [2]);
  await treasury.scan();
  expect(await compare()).toEqual([]);
  expect(await swept()).toEqual([{ swept_at: START }]);
});

test.each([
  { nth: 1, known: true },
  { nth: 2, known: true },
  { nth: 1, known: false },
  { nth: 2, known: false },
])(
  'a node that gives the state it is just making as answer $nth is asked again; balances known: $known',
  async ({ nth, known }) => {
    const { network, node, pay, scan } = treasury;
    const payment = await paid(9n * USDT);
    expect(await compare()).toEqual([]);
    if (!known) await forgetBalances();
    await pay(treasury.addressOf(payment), 1n * USDT);
    await pay(network.treasury, 2n * USDT);
    const liar = await startLiar(node.url);
    liar.lie(stateOfNext(nth));
    expect(await compare({ ...network, rpcUrl: liar.url })).toEqual([]);
    await liar.close();
    await node.rpc('anvil_mine', [2]);
    await scan(payment);
    expect(await compare()).toEqual([]);
  },
  60_000,
);

test('a node that gives it several times in a row, until the next block is there, is asked until then', async () => {
  const { network, node, pay, scan } = treasury;
  await pay(network.treasury, 2n * USDT);
  const liar = await startLiar(node.url);
  let until = 0;
  liar.lie((call) => {
    if (call.method !== 'eth_call') return undefined;
    until ||= Date.now() + 40;
    return Date.now() < until ? { ask: { ...call, params: [call.params[0], 'latest'] } } : undefined;
  });
  expect(await compare({ ...network, rpcUrl: liar.url })).toEqual([]);
  await liar.close();
  await scan();
  expect(await compare()).toEqual([]);
});

async function forgetBalances(): Promise<void> {
  const owner = await connectOwner(treasury.world.database);
  await owner.query('delete from treasury_balances');
  await owner.end();
}

test.each([1, 2])(
  'a node that answers with nothing %i times, as for a state without the factory, is asked anew',
  async (times) => {
    const { network, node } = treasury;
    const liar = await startLiar(node.url);
    let left = times;
    liar.lie(({ method }) => (method === 'eth_call' && left-- > 0 ? { result: '0x' } : undefined));
    expect(await compare({ ...network, rpcUrl: liar.url })).toEqual([]);
    expect(left).toBeLessThan(0);
    liar.lie(({ method }) => (method === 'eth_call' ? { result: '0x' } : undefined));
    await expect(compare({ ...network, rpcUrl: liar.url })).rejects.toThrow(
      'a block that was just there is unknown now',
    );
    await liar.close();
  },
);

test('a node that gives one and the other in turn is not believed', async () => {
  const { network, node, pay, scan } = treasury;
  await pay(network.treasury, 2n * USDT);
  const liar = await startLiar(node.url);
  const lies = [stateOfNext(1), stateOfNext(3)];
  liar.lie((call) => lies.map((lie) => lie(call)).find(Boolean));
  await expect(compare({ ...network, rpcUrl: liar.url })).rejects.toThrow('differently each time');
  await liar.close();
  await scan();
  expect(await compare()).toEqual([]);
});
