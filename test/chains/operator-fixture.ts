import { setTimeout as sleep } from 'node:timers/promises';
import { deriveAccounts } from '../../src/chains/evm/dev-accounts.ts';
import { operatorOf } from '../../src/chains/evm/operator-account.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { type OperatorJobDeps, operatorJobs } from '../../src/chains/operator/jobs.ts';
import { enqueue, type FeeQuote, type OperatorOrder, prepareFees } from '../../src/chains/operator/operator.ts';
import { listTransactions, type OperatorTransactionId } from '../../src/chains/operator/queries.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Network } from '../../src/ports/chain.ts';
import { type AnvilOptions, startAnvil } from '../support/anvil.ts';
import { connectTestDatabase } from '../support/connection.ts';
import { BOB, tokenNetwork } from '../support/evm.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
export const NOW = new Date('2026-03-01T12:00:00.000Z');
/** Called by our transactions; nothing stands there. */
export const TARGET = '0x00000000000000000000000000000000000000aa';
/** Reverts every call. */
export const REFUSER = '0x00000000000000000000000000000000000000bb';
/** Nothing is ever late. */
export const CALM = { resendMs: 3_600_000, stuckMs: 3_600_000 };
/** Everything is late at once. */
export const HASTY = { resendMs: -1, stuckMs: -1 };

export const operator = operatorOf(deriveAccounts(MNEMONIC)(10));
const RICH = '0x56bc75e2d63100000';

export type Desk = Awaited<ReturnType<typeof openDesk>>;

/** A node whose operator has a hundred coins, an empty database, and what a process does with both. */
export async function openDesk(options: AnvilOptions = {}) {
  const [node, connection] = await Promise.all([startAnvil(options), connectTestDatabase()]);
  const { db } = connection;
  const network = tokenNetwork(node, { usdt: BOB, usdc: BOB }, BOB, 20);
  await node.rpc('anvil_setBalance', [operator.address, RICH]);
  await node.rpc('anvil_setCode', [REFUSER, '0x60006000fd']);
  const faults: string[] = [];
  const deps = (changes: Partial<OperatorJobDeps> = {}): OperatorJobDeps => ({
    ...{ db, networks: [network], operator, listeners: [], worker: 'worker-1', patience: CALM },
    log: (error) => void faults.push(String(error)),
    ...changes,
  });
  const send = async (changes: Partial<OperatorJobDeps> = {}): Promise<void> => {
    const [job] = operatorJobs(deps(changes));
    await job!.run({ now: NOW, real: NOW, signal: new AbortController().signal });
  };
  const desk = {
    ...{ node, db, network, faults, send },
    prepare: (on: Network = network): Promise<FeeQuote> => prepareFees({ db, operator }, on),
    /** Stores so many calls in one transaction. */
    enqueue: async (count: number, changes: Partial<OperatorOrder> = {}): Promise<OperatorTransactionId[]> => {
      const fees = changes.fees ?? (await quoted(desk.prepare()));
      const order = { network, to: TARGET, data: '0x01', gas: 30_000n, purpose: 'test', fees, ...changes };
      return inTransaction(db, async (trx) => {
        const ids: OperatorTransactionId[] = [];
        for (let i = 0; i < count; i += 1) ids.push((await enqueue(trx, { operator }, order, NOW)).id);
        return ids;
      });
    },
    /** The bytes of every signature, in the order of the nonces. */
    raws: () =>
      db
        .selectFrom('operator_signatures')
        .innerJoin('operator_transactions', 'id', 'transaction_id')
        .select(['raw', 'hash'])
        .orderBy('nonce')
        .execute(),
    read: (ids: readonly OperatorTransactionId[]) => listTransactions(db, ids),
    statuses: async (ids: readonly OperatorTransactionId[]) =>
      (await listTransactions(db, ids)).map(({ status }) => status),
    /** Works until all of these are in blocks. */
    sendUntilMined: async (
      ids: readonly OperatorTransactionId[],
      changes: Partial<OperatorJobDeps> = {},
    ): Promise<void> => {
      for (let run = 0; run < 60; run += 1) {
        await send(changes);
        if ((await desk.statuses(ids)).every((status) => status === 'mined' || status === 'confirmed')) return;
        await sleep(10);
      }
      throw new Error(`these are not mined: ${await desk.statuses(ids)}; ${faults[0]}`);
    },
    /** Scans the chain to its head, as a watcher does. */
    scan: async (): Promise<void> => {
      const watcher = createWatcher({
        ...{ db, network, reader: createEvmReader(network), matchers: [], worker: 'watcher', log: () => undefined },
        ...{ now: () => NOW, confirmationsOn: async () => 2 },
      });
      while ((await watcher.look()) !== 'level');
      await watcher.release();
    },
    mine: (blocks: number) => node.rpc('anvil_mine', [blocks]),
    nonceOnChain: async () => Number(await node.rpc('eth_getTransactionCount', [operator.address, 'latest'])),
    /** A transaction of the same key that the service knows nothing of. */
    foreign: async (nonce: number): Promise<string> => {
      const fees = { maxFee: 50_000_000_000n, maxPriorityFee: 2_000_000_000n };
      const call = { chainId: node.chainId, nonce, to: BOB, data: '0x', gas: 21_000n, fees };
      return node.rpc('eth_sendRawTransaction', [`0x${(await operator.sign(call)).raw.toString('hex')}`]);
    },
    incidents: () =>
      db.selectFrom('incidents').select(['kind', 'subject', 'message', 'resolved_at']).orderBy('id').execute(),
    close: async () => {
      await connection.close();
      await node.stop();
    },
  };
  return desk;
}

/** The fees of a quote that is not too expensive. */
export async function quoted(asked: Promise<FeeQuote>) {
  const quote = await asked;
  if (quote.kind !== 'quoted') throw new Error('too expensive');
  return quote.fees;
}
