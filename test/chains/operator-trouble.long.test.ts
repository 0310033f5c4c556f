import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startLiar } from '../../scripts/liars/proxy.ts';
import { createOperatorNode } from '../../src/chains/evm/operator-node.ts';
import { type OperatorJobDeps, operatorJobs } from '../../src/chains/operator/jobs.ts';
import { enqueue } from '../../src/chains/operator/operator.ts';
import type { OperatorTransactionId } from '../../src/chains/operator/queries.ts';
import { listDeep, lockTransactions, markConfirmed } from '../../src/chains/operator/transitions.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { chainsOf } from '../support/chains.ts';
import { CALM, type Desk, HASTY, NOW, openDesk, operator, quoted, TARGET } from './operator-fixture.ts';

const GWEI = 1_000_000_000n;
const IMPATIENT = { patience: HASTY };

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});
afterEach(async () => {
  await desk.close();
});

test('transactions dropped by a reorg are sent again, and mined in nonce order', async () => {
  const moves: string[] = [];
  const listeners: OperatorJobDeps['listeners'] = [
    async (_, moved) => void moves.push(...moved.map(({ nonce, status }) => `${nonce} ${status}`)),
  ];
  const ids: OperatorTransactionId[] = [];
  for (let i = 0; i < 3; i += 1) {
    ids.push(...(await desk.enqueue(1)));
    await desk.sendUntilMined(ids);
  }
  await desk.scan(9);
  const before = await desk.read(ids);
  for (const depth of [1, 4]) {
    await desk.node.rpc('anvil_reorg', [depth, []]);
    const lost = 3 - (await desk.nonceOnChain());
    expect(lost).toBeGreaterThan(0);
    await desk.scan(9);
    moves.length = 0;
    await desk.send({ listeners });
    expect(moves).toHaveLength(lost);
    expect(moves.every((move) => move.endsWith(' sent'))).toBe(true);
    await desk.sendUntilMined(ids);
    expect(await desk.nonceOnChain()).toBe(3);
    await desk.scan(9);
  }
  const after = await desk.read(ids);
  expect(after.map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
  expect(after.map(({ block }) => block)).not.toEqual(before.map(({ block }) => block));
});

test('a confirmed transaction that a reorg takes back while the network is idle is sent again', async () => {
  const ids = await desk.enqueue(1);
  await desk.sendUntilMined(ids);
  const { height } = (await desk.read(ids))[0]!.block!;
  await desk.mine(2);
  await desk.scan();
  await desk.send();
  expect(await desk.statuses(ids)).toEqual(['confirmed']);
  await desk.mine(60);
  await desk.scan(2, true);
  const head = Number(await desk.node.rpc('eth_blockNumber'));
  await desk.node.rpc('anvil_reorg', [head - height + 1, []]);
  await desk.mine(60);
  expect(await desk.nonceOnChain()).toBe(0);
  await desk.scan(2, true);
  await desk.send();
  await desk.sendUntilMined(ids);
  expect(await desk.nonceOnChain()).toBe(1);
});

test.each([
  ['after the scan was walked back', true],
  ['while it is', false],
])('a transaction that is confirmed %s does not stay confirmed', async (_, after) => {
  const [id] = await desk.enqueue(1);
  await desk.sendUntilMined([id!]);
  const [before] = await desk.read([id!]);
  await desk.mine(2);
  await desk.scan();
  // The job has read what lies deep; then the watcher walks back.
  const deep = await listDeep(desk.db, desk.network.name);
  expect(deep.map((each) => each.id)).toEqual([id]);
  const head = Number(await desk.node.rpc('eth_blockNumber'));
  await desk.node.rpc('anvil_reorg', [head - before!.block!.height + 1, []]);
  await desk.mine(1);
  let scan = after ? desk.scan(9) : Promise.resolve();
  await scan;
  await inTransaction(desk.db, async (trx) => {
    await lockTransactions(trx, [id!]);
    await markConfirmed(trx, deep, NOW);
    if (after) return;
    scan = desk.scan(9);
    await vi.waitFor(async () => {
      const { rows } = await sql`
        select from pg_locks where not granted and pid in
          (select pid from pg_stat_activity where datname = current_database())`.execute(desk.db);
      expect(rows).toHaveLength(1);
    }, 60_000);
  });
  await scan;
  expect(await desk.statuses([id!])).toEqual(['mined']);
});

test('a transaction that a reorg moves to another block is mined there', async () => {
  const ids = await desk.enqueue(1);
  await desk.sendUntilMined(ids);
  await desk.scan();
  const [before] = await desk.read(ids);
  const [signed] = await desk.raws();
  await desk.mine(1);
  await desk.node.rpc('anvil_reorg', [2, [[`0x${signed!.raw.toString('hex')}`, 1]]]);
  await desk.scan();
  await desk.send();
  await desk.sendUntilMined(ids);
  const [after] = await desk.read(ids);
  expect(after?.block?.height).toBe(before!.block!.height + 1);
  await desk.mine(1);
  await desk.scan();
  await desk.send();
  expect(await desk.statuses(ids)).toEqual(['confirmed']);
});

test('a chain restored from an older state gets every lost transaction again, even confirmed ones', async () => {
  const ids = await desk.enqueue(4);
  await desk.sendUntilMined(ids);
  await desk.mine(2);
  await desk.scan();
  await desk.send();
  expect(await desk.statuses(ids)).toEqual(['confirmed', 'confirmed', 'confirmed', 'confirmed']);
  const height = Number(await desk.node.rpc('eth_blockNumber'));
  const second = (await desk.read(ids))[1]!.block!.height;
  await desk.node.rpc('anvil_rollback', [height - second + 1]);
  const lost = 4 - (await desk.nonceOnChain());
  expect(lost).toBeGreaterThan(0);
  // The loss shows only once there is something new to send.
  const [next] = await desk.enqueue(1);
  await desk.sendUntilMined([...ids, next!]);
  expect((await desk.read([next!]))[0]).toMatchObject({ nonce: 4, succeeded: true });
  expect(await desk.nonceOnChain()).toBe(5);
});

test('a nonce used by another sender drops our transaction once that is confirmed, and the next one proceeds', async () => {
  const [ours] = await desk.enqueue(1);
  await desk.foreign(0);
  await desk.send();
  await desk.scan();
  await desk.send();
  expect(await desk.statuses([ours!])).toEqual(['sent']);
  await desk.mine(1);
  await desk.scan();
  await desk.send();
  expect(await desk.read([ours!])).toMatchObject([{ status: 'dropped', block: null, finishedAt: NOW }]);
  const [next] = await desk.enqueue(1);
  await desk.sendUntilMined([next!]);
  expect((await desk.read([next!]))[0]?.nonce).toBe(1);
});

test('a nonce used by another sender only until a reorg is ours after all', async () => {
  await desk.mine(1);
  const [ours] = await desk.enqueue(1);
  await desk.foreign(0);
  await desk.send();
  await desk.send();
  expect(await takenBlocks()).toEqual([2n]);
  await desk.node.rpc('anvil_reorg', [1, []]);
  await desk.scan();
  await desk.send({ patience: { ...CALM, resendMs: -1 } });
  await desk.sendUntilMined([ours!]);
  expect(await takenBlocks()).toEqual([null]);
});

test('a transaction of ours whose nonce a node counts before it knows the receipt is found by the next look', async () => {
  const liar = await startLiar(desk.node.url);
  const networks = [{ ...desk.network, rpcUrl: liar.url }];
  try {
    const [ours] = await desk.enqueue(1);
    liar.lie(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined));
    const look = () => desk.send({ networks }).then(takenBlocks);
    await expect.poll(look, { timeout: 60_000 }).not.toEqual([null]);
    expect(await desk.statuses([ours!])).toEqual(['sent']);
    liar.honest();
    expect(await look()).toEqual([null]);
    expect(await desk.read([ours!])).toMatchObject([{ status: 'mined', succeeded: true }]);
  } finally {
    await liar.close();
  }
});

test('abandoned nonces are filled, or taken back when nothing of ours follows', async () => {
  await desk.foreign(0);
  await desk.foreign(1);
  const [ours] = await desk.enqueue(1);
  await desk.node.rpc('anvil_rollback', [2]);
  await desk.send(IMPATIENT);
  await desk.sendUntilMined([ours!], IMPATIENT);
  expect((await desk.read([ours!]))[0]?.nonce).toBe(2);
  const fillers = await desk.db
    .selectFrom('operator_transactions')
    .select(['nonce', 'purpose'])
    .orderBy('nonce')
    .execute();
  expect(fillers.map(({ purpose }) => purpose)).toEqual(['operator.filler', 'operator.filler', 'test']);

  await desk.foreign(3);
  const unused = await desk.prepare();
  expect(unused.kind).toBe('quoted');
  await desk.node.rpc('anvil_rollback', [1]);
  const [next] = await desk.enqueue(1);
  await desk.sendUntilMined([next!]);
  expect((await desk.read([next!]))[0]?.nonce).toBe(3);
});

test('a transaction stuck below the market price is replaced once by a sufficient offer, and one of the two is mined', async () => {
  await desk.node.rpc('evm_setAutomine', [false]);
  const [cheap, other] = await desk.enqueue(2, { fees: { maxFee: 2n * GWEI, maxPriorityFee: GWEI } });
  await desk.send();
  await desk.setBaseFee(20n * GWEI);
  await desk.mine(1);
  expect(await desk.nonceOnChain()).toBe(0);
  const limited = { ...IMPATIENT, networks: [{ ...desk.network, gasPriceMaxGwei: 10 }] };
  await desk.send(limited);
  expect(await attempts()).toEqual([1, 1]);
  await desk.send(IMPATIENT);
  expect(await attempts()).toEqual([2, 2]);
  await desk.setBaseFee(20n * GWEI);
  await desk.mine(1);
  await desk.send(IMPATIENT);
  const mined = await desk.read([cheap!, other!]);
  expect(mined.map(({ status, nonce }) => `${nonce} ${status}`)).toEqual(['0 mined', '1 mined']);
  const hashes = (await desk.raws()).map(({ hash }) => hash);
  expect(hashes).toHaveLength(4);
  expect(await minedOf(hashes)).toEqual(mined.map(({ hash }) => hash).toSorted());
});

test('the original of a replaced transaction may be the one that is mined', async () => {
  await desk.node.rpc('evm_setAutomine', [false]);
  const ids = await desk.enqueue(1, { fees: { maxFee: 2n * GWEI, maxPriorityFee: GWEI } });
  await desk.send();
  const [first] = await desk.read(ids);
  await desk.setBaseFee(20n * GWEI);
  await desk.mine(1);
  // The node does not hear of the second before it mines the first.
  await desk.replace();
  await desk.setBaseFee(GWEI / 2n);
  await createOperatorNode(desk.network).take((await desk.raws())[0]!.raw, first!.hash);
  await desk.mine(1);
  await desk.send();
  expect(await desk.read(ids)).toMatchObject([{ status: 'mined', hash: first!.hash }]);
  expect(await attempts()).toEqual([2]);
});

test('an account without coins sends nothing, opens an incident, and resumes when it is funded', async () => {
  const ids = await desk.enqueue(2);
  await desk.node.rpc('anvil_setBalance', [operator.address, '0x0']);
  await desk.send();
  await desk.send();
  expect(await desk.statuses(ids)).toEqual(['signed', 'signed']);
  const [incident, ...more] = await desk.incidents();
  expect(more).toEqual([]);
  expect(incident).toMatchObject({ kind: 'operator.funds', resolved_at: null });
  expect(incident?.message).toContain(`The operator ${operator.address} has 0.000000 of the coin of devnet left`);
  await desk.node.rpc('anvil_setBalance', [operator.address, '0xde0b6b3a7640000']);
  await desk.sendUntilMined(ids);
  expect(await desk.incidents()).toMatchObject([{ kind: 'operator.funds', resolved_at: NOW }]);
});

test('an unreachable node loses nothing and is logged once, and a refusing node opens an incident', async () => {
  const ids = await desk.enqueue(1);
  const faults: unknown[] = [];
  const network = { ...desk.network, rpcUrl: 'http://127.0.0.1:1' };
  const [job] = operatorJobs({
    ...{
      db: desk.db,
      networks: [network],
      chains: chainsOf(),
      accounts: [operator],
      listeners: [],
      worker: 'worker-1',
    },
    log: (error) => void faults.push(error),
  });
  const run = { now: NOW, real: NOW, signal: new AbortController().signal };
  await job!.run(run);
  await job!.run(run);
  expect(faults).toHaveLength(1);
  expect(await job!.nextDue?.()).toEqual(NOW);
  await desk.sendUntilMined(ids);
  expect(await job!.nextDue?.()).toBeNull();

  const [hopeless] = await desk.enqueue(1, { network: { ...desk.network, chainId: 5 } });
  await desk.send();
  expect(await desk.incidents()).toMatchObject([{ kind: 'operator.refused', subject: hopeless, resolved_at: null }]);
  expect((await desk.incidents())[0]?.message).toMatch(/chain id/i);
});

test('the database keeps finished transactions unchanged, and each nonce for one transaction', async () => {
  const [first, second] = await desk.enqueue(2);
  await desk.sendUntilMined([first!, second!]);
  await desk.mine(2);
  await desk.scan();
  await desk.send();
  const attempt = (query: ReturnType<typeof sql>) => query.execute(desk.db);
  await expect(attempt(sql`update operator_transactions set succeeded = false where id = ${first}`)).rejects.toThrow(
    'which does not change',
  );
  await expect(attempt(sql`update operator_transactions set status = 'mined', finished_at = null`)).rejects.toThrow(
    'can not move from confirmed to mined',
  );
  await expect(attempt(sql`update operator_transactions set purpose = 'other'`)).rejects.toThrow('does not change');
  await expect(attempt(sql`update operator_accounts set next_nonce = 1`)).rejects.toThrow('nonce 1 of');
  await expect(attempt(sql`delete from operator_transactions`)).rejects.toThrow('permission denied');
  await expect(attempt(sql`update operator_signatures set raw = '\\x00'`)).rejects.toThrow('append-only');
  await expect(
    attempt(sql`insert into operator_signatures (transaction_id, attempt, hash, raw, max_fee, max_priority_fee)
      select transaction_id, 2, ${`0x${'1'.repeat(64)}`}, raw, max_fee, max_priority_fee from operator_signatures`),
  ).rejects.toThrow('an eighth more');
  await expect(
    attempt(sql`insert into operator_transactions
        (id, network, address, nonce, purpose, to_address, gas_limit, created_at)
      select 'optx_2', network, address, nonce, purpose, to_address, gas_limit, created_at from operator_transactions
       where id = ${first}`),
  ).rejects.toThrow('operator_nonce_once');
});

const attempts = async (): Promise<number[]> =>
  (await desk.db.selectFrom('operator_transactions').select('attempt').orderBy('nonce').execute()).map(
    (row) => row.attempt,
  );

const takenBlocks = async () =>
  (await desk.db.selectFrom('operator_transactions').select('taken_block').orderBy('nonce').execute()).map(
    (row) => row.taken_block,
  );

/** The mined ones of these transactions, sorted. */
async function minedOf(hashes: readonly string[]): Promise<string[]> {
  const receipts = await Promise.all(hashes.map((hash) => desk.node.rpc('eth_getTransactionReceipt', [hash])));
  return hashes.filter((_, i) => receipts[i] !== null).toSorted();
}

test('one lie about the next nonce, where another endpoint tells the truth, has nothing signed with a far one', async () => {
  const liar = await startLiar(desk.node.url);
  const network = { ...desk.network, rpcUrl: liar.url, otherRpcUrls: [desk.node.url] };
  const enqueueOne = async (): Promise<OperatorTransactionId> => {
    const fees = await quoted(desk.prepare(network));
    const order = { network, to: TARGET, data: '0x01', gas: 30_000n, purpose: 'test', fees };
    return inTransaction(desk.db, async (trx) => (await enqueue(trx, { operator }, order, NOW)).id);
  };
  const nonceOf = async (id: OperatorTransactionId) => (await desk.read([id]))[0]?.nonce;
  try {
    liar.lie(({ method, params }) =>
      method === 'eth_getTransactionCount' && params[1] === 'pending' ? { result: '0x2710' } : undefined,
    );
    expect(await nonceOf(await enqueueOne())).toBe(0);
    expect(await nonceOf(await enqueueOne())).toBe(1);
    // What others have used is passed, once both say so.
    liar.honest();
    await desk.sendUntilMined(await desk.enqueue(1));
    await desk.foreign(3);
    expect(await nonceOf(await enqueueOne())).toBe(4);
    // Who is alone is not believed.
    liar.lie(() => ({ error: { code: -32000, message: 'busy' } }));
    const alone = createOperatorNode({ ...network, otherRpcUrls: [desk.node.url] });
    await expect(alone.countSeconded(operator.address)).rejects.toThrow('too few endpoints');
    await expect(createOperatorNode(desk.network).countSeconded(operator.address)).resolves.toBe(4);
  } finally {
    await liar.close();
  }
});
