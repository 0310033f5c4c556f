import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { deriveAccounts } from '../../src/chains/evm/dev-accounts.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { operatorOf } from '../../src/chains/evm/operator-account.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { type OperatorJobDeps, operatorJobs } from '../../src/chains/operator/jobs.ts';
import { enqueue, type FeeQuote, type OperatorOrder, prepareFees } from '../../src/chains/operator/operator.ts';
import { startPass } from '../../src/chains/operator/pass.ts';
import { listTransactions, type OperatorTransactionId, operatorWaits } from '../../src/chains/operator/queries.ts';
import { replaceStuck } from '../../src/chains/operator/repairs.ts';
import { listOpen } from '../../src/chains/operator/transitions.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { chainsOf, isWaited } from '../support/chains.ts';
import { connectTestDatabase } from '../support/connection.ts';
import { BOB, tokenNetwork } from '../support/evm.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
export const NOW = new Date('2026-03-01T12:00:00.000Z');
/** The target of our calls; it has no code. */
export const TARGET = '0x00000000000000000000000000000000000000aa';
/** Reverts every call. */
export const REFUSER = '0x00000000000000000000000000000000000000bb';
/** Nothing is ever overdue. */
export const CALM = { resendMs: 3_600_000, stuckMs: 3_600_000 };
/** Everything is overdue at once. */
export const HASTY = { resendMs: -1, stuckMs: -1 };

export const operator = operatorOf(deriveAccounts(MNEMONIC)(10));
const HUNDRED_COINS = '0x56bc75e2d63100000';
const RUNS_MAX = 60;

export type Desk = Awaited<ReturnType<typeof openDesk>>;
type Place = { readonly node: Anvil; readonly db: Db; readonly network: EvmNetwork };

/** A node whose operator has a hundred coins, an empty database, and what a process does with both. */
export async function openDesk() {
  const [node, connection] = await Promise.all([startAnvil(), connectTestDatabase()]);
  const { db } = connection;
  const place = { node, db, network: tokenNetwork(node, { usdt: BOB, usdc: BOB }, BOB, 20) };
  await node.rpc('anvil_setBalance', [operator.address, HUNDRED_COINS]);
  await node.rpc('anvil_setCode', [REFUSER, '0x60006000fd']);
  return {
    ...place,
    ...orders(place),
    ...work(place),
    ...chain(place),
    incidents: () =>
      db.selectFrom('incidents').select(['kind', 'subject', 'message', 'resolved_at']).orderBy('id').execute(),
    close: async () => {
      await connection.close();
      await node.stop();
    },
  };
}

function orders({ db, network }: Place) {
  const prepare = (on: EvmNetwork = network): Promise<FeeQuote> =>
    prepareFees({ db, chains: chainsOf(), operator }, on);
  const read = (ids: readonly OperatorTransactionId[]) => listTransactions(db, ids);
  return {
    prepare,
    read,
    statuses: async (ids: readonly OperatorTransactionId[]) => (await read(ids)).map(({ status }) => status),
    /** Stores this many calls in one transaction. */
    enqueue: async (count: number, changes: Partial<OperatorOrder> = {}): Promise<OperatorTransactionId[]> => {
      const fees = await quoted(prepare());
      const order = { network, to: TARGET, data: '0x01', gas: 30_000n, purpose: 'test', fees, ...changes };
      return inTransaction(db, async (trx) => {
        const ids: OperatorTransactionId[] = [];
        for (let i = 0; i < count; i += 1) ids.push((await enqueue(trx, { operator }, order, NOW)).id);
        return ids;
      });
    },
    /** The bytes of every signature, in nonce order. */
    raws: () =>
      db
        .selectFrom('operator_signatures')
        .innerJoin('operator_transactions', 'id', 'transaction_id')
        .select(['raw', 'hash'])
        .orderBy('nonce')
        .orderBy('operator_signatures.attempt')
        .execute(),
  };
}

function work(place: Place) {
  const { db, network } = place;
  const faults: string[] = [];
  const deps: OperatorJobDeps = {
    ...{
      db,
      networks: [network],
      chains: chainsOf(),
      accounts: [operator],
      listeners: [],
      worker: 'worker-1',
      patience: CALM,
    },
    log: (error) => void faults.push(String(error)),
  };
  const send = async (changes: Partial<OperatorJobDeps> = {}): Promise<void> => {
    const [job] = operatorJobs({ ...deps, ...changes });
    await job!.run({ now: NOW, real: NOW, signal: new AbortController().signal });
  };
  const { statuses } = orders(place);
  return {
    /** What the jobs have logged. */
    faults,
    /** Runs the job once. */
    send,
    /** Runs the job until all of these are mined. */
    sendUntilMined: async (
      ids: readonly OperatorTransactionId[],
      changes: Partial<OperatorJobDeps> = {},
    ): Promise<void> => {
      for (let run = 0; run < RUNS_MAX; run += 1) {
        await send(changes);
        if ((await statuses(ids)).every((status) => status === 'mined' || status === 'confirmed')) return;
        await sleep(10);
      }
      throw new Error(`these are not mined: ${await statuses(ids)}; ${faults[0]}`);
    },
    /** Signs the waiting calls anew at current prices, and sends none of them. */
    replace: async (): Promise<void> => {
      const account = { network: network.name, address: operator.address };
      const pass = startPass(
        { db, chains: chainsOf(), accounts: [operator], listeners: [], patience: HASTY },
        network,
        NOW,
      );
      await replaceStuck({ ...pass, account }, await listOpen(db, account, 100), new Set());
    },
    /** Scans the chain to its head, or on an idle network as far as the scan goes there, as a watcher does. */
    scan: async (confirmations = 2, mayRest = false): Promise<void> => {
      const watcher = createWatcher({
        isIdle: async () => mayRest && !(await isWaited(db, operatorWaits, network, NOW)),
        ...{ db, network, reader: createEvmReader(network), matchers: [], worker: 'watcher', log: () => undefined },
        ...{ now: () => NOW, confirmationsOn: async () => confirmations },
      });
      while ((await watcher.look()) === 'behind');
      await watcher.release();
    },
  };
}

function chain({ node }: Place) {
  return {
    mine: (blocks: number) => node.rpc('anvil_mine', [blocks]),
    setBaseFee: (wei: bigint) => node.rpc('anvil_setNextBlockBaseFeePerGas', [`0x${wei.toString(16)}`]),
    nonceOnChain: async () => Number(await node.rpc('eth_getTransactionCount', [operator.address, 'latest'])),
    /** A transaction of the same key that the service does not know; it is mined. Before, no rollback would take it. */
    foreign: async (nonce: number): Promise<string> => {
      const fees = { maxFee: 50_000_000_000n, maxPriorityFee: 2_000_000_000n };
      const { raw } = await operator.sign({ chainId: node.chainId, nonce, to: BOB, data: '0x', gas: 21_000n, fees });
      const hash = await node.rpc<string>('eth_sendRawTransaction', [`0x${raw.toString('hex')}`]);
      await expect.poll(() => node.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull();
      return hash;
    },
  };
}

/** The fees of a quote within the limit. */
export async function quoted(asked: Promise<FeeQuote>) {
  const quote = await asked;
  if (quote.kind !== 'quoted') throw new Error('too expensive');
  return quote.fees;
}
