import { sql } from 'kysely';
import { type Address, createClient, encodeFunctionData, http, parseEventLogs } from 'viem';
import { getLogs, sendTransaction } from 'viem/actions';
import { testUsdc, testUsdt } from '../../generated/contracts.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import type { WatcherDeps } from '../../src/chains/lease.ts';
import { createWatcher, type Watcher } from '../../src/chains/watcher.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db, Trx } from '../../src/lib/db-types.ts';
import type { Matcher, Transfer } from '../../src/ports/chain.ts';
import { type AnvilOptions, startAnvil } from '../support/anvil.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { deploy, send, tokenNetwork, walletOf } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';

export const RECIPIENT: Address = '0x00000000000000000000000000000000000000aa';

/** A transfer as the recording matcher stores it. */
export type Seen = { readonly tx: string; readonly idx: number; readonly recipient: string; readonly units: bigint };

export type Bench = Awaited<ReturnType<typeof openBench>>;

const { Noise } = compileTestContracts('Noise.sol');

/**
 * Emptied databases of closed benches: creating one takes longer than most tests that need one. They go with their
 * server.
 */
const left: TestDatabase[] = [];

/**
 * A node with two listed tokens and an unlisted one, an empty database, and a matcher that records what it is shown.
 */
export async function openBench(options: AnvilOptions = {}) {
  const node = await startAnvil(options);
  const wallet = walletOf(node);
  const [usdt, usdc, noise] = [
    await deploy(wallet, testUsdt),
    await deploy(wallet, testUsdc),
    await deploy(wallet, Noise!),
  ];
  const { db, url, clear, close } = await openRecord();
  const network = tokenNetwork(node, { usdt, usdc: noise }, RECIPIENT, 20);
  return {
    node,
    wallet,
    usdt,
    unlisted: usdc,
    noise,
    network,
    db,
    url,
    mint: (token: Address, units: bigint, to: Address = RECIPIENT) =>
      send(wallet, { to: token, data: mintCall(to, units) }),
    /** Leaves a transaction in the pool; returns its hash. */
    submit: (token: Address, units: bigint) =>
      sendTransaction(wallet, {
        to: token,
        data: mintCall(RECIPIENT, units),
        gas: 100_000n,
        account: wallet.account,
        chain: null,
      }),
    call: (name: string, args: readonly unknown[]) =>
      send(wallet, {
        to: noise,
        data: encodeFunctionData({ abi: Noise!.abi as never, functionName: name, args } as never),
      }),
    /** Never more at once: the node responds to no one meanwhile. */
    mine: async (blocks: number) => {
      for (let left = blocks; left > 0; left -= 100) await node.rpc('anvil_mine', [Math.min(100, left)]);
    },
    close: async () => {
      await clear();
      await close();
      await node.stop();
    },
  };
}

export type RecordDatabase = Awaited<ReturnType<typeof openRecord>>;

/**
 * An empty database in which `recorder` keeps what it is shown. It is used again once it is closed, so clear it before.
 */
export async function openRecord() {
  const kept = left.pop();
  const database = kept ?? (await createTestDatabase());
  const db = openDatabase({ url: database.ownerUrl, poolMax: 10, applicationName: 'test', onError: () => undefined });
  if (kept === undefined) await createRecord(db);
  return {
    db,
    url: database.ownerUrl,
    clear: async () => void (await sql`truncate record, chain_cursors, chain_blocks, incidents`.execute(db)),
    close: async () => {
      await db.destroy();
      left.push(database);
    },
  };
}

const mintCall = (to: Address, units: bigint) =>
  encodeFunctionData({ abi: testUsdt.abi, functionName: 'mint', args: [to, units] });

/** The dependencies of a process that watches this bench; `changes` make it another or a faulty process. */
export function depsOf(bench: Bench, changes: Partial<WatcherDeps> = {}): WatcherDeps {
  const network = (changes.network ?? bench.network) as EvmNetwork;
  return {
    db: bench.db,
    reader: createEvmReader(network),
    matchers: [recorder],
    confirmationsOn: async (each) => each.confirmations,
    now: () => new Date(),
    worker: 'worker-1',
    log: () => undefined,
    ...changes,
    network,
  };
}

/** A watcher, and a way to run it until it has nothing more to do. */
export function openWatcher(
  bench: Bench,
  changes: Partial<WatcherDeps> = {},
): Watcher & { catchUp: () => Promise<number> } {
  const watcher = createWatcher(depsOf(bench, changes));
  return {
    ...watcher,
    catchUp: async () => {
      for (let looks = 1; ; looks += 1) if ((await watcher.look()) !== 'behind') return looks;
    },
  };
}

async function createRecord(db: Db): Promise<void> {
  await sql`
    create table record (network text, block_hash text, height bigint, tx text, idx integer, recipient text,
      units numeric(78, 0), canonical boolean default true, primary key (network, block_hash, tx, idx));
    create unique index on record (network, tx, idx) where canonical`.execute(db);
}

/** Stores every transfer once per block that contained it; the database refuses a second canonical one. */
export const recorder: Matcher = {
  observe: async (trx, _network, { transfers }) => {
    await record(trx, transfers);
    trx.wake('kasi_credits');
  },
  orphan: async (trx, network, height) => {
    await sql`
      update record set canonical = false
       where network = ${network} and height > ${height} and canonical`.execute(trx);
  },
};

async function record(trx: Trx, transfers: readonly Transfer[]): Promise<void> {
  const rows = transfers.map(({ network, block, txHash, index, to, units }) => ({
    ...{ network, block_hash: block.hash, height: block.height, tx: txHash, idx: index },
    ...{ recipient: to, units: units.toString() },
  }));
  await sql`
    insert into record (network, block_hash, height, tx, idx, recipient, units)
    select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r (network text, block_hash text, height bigint, tx text, idx integer, recipient text, units numeric)
    on conflict (network, block_hash, tx, idx) do update set canonical = true`.execute(trx);
}

/** The recorded canonical transfers, oldest first. */
export async function listSeen(db: Db, network = 'devnet'): Promise<Seen[]> {
  const { rows } = await sql<Seen>`
    select tx, idx, recipient, units from record where canonical and network = ${network}
     order by height, tx, idx`.execute(db);
  return rows;
}

/** The transfers since block `from` according to the chain itself, in the same order. */
export async function listTruth(bench: Bench, from = 0n): Promise<Seen[]> {
  const client = createClient({ transport: http(bench.node.url) });
  const address = bench.network.tokens.map(({ contract }) => contract as Address);
  const logs = parseEventLogs({
    abi: testUsdt.abi,
    eventName: 'Transfer',
    logs: await getLogs(client, { address, fromBlock: from, toBlock: 'latest' }),
  });
  const places = new Map<string, number>();
  return logs
    .map((log) => {
      const idx = places.get(log.transactionHash) ?? 0;
      places.set(log.transactionHash, idx + 1);
      return {
        height: log.blockNumber,
        tx: log.transactionHash as string,
        idx,
        to: log.args.to,
        units: log.args.value,
      };
    })
    .sort((a, b) => Number(a.height - b.height) || (a.tx < b.tx ? -1 : a.tx > b.tx ? 1 : a.idx - b.idx))
    .map(({ tx, idx, to, units }) => ({ tx, idx, recipient: to.toLowerCase(), units }));
}

/** The cursor's row, with numbers for its heights. */
export async function readCursor(db: Db, network?: string) {
  const rows = db.selectFrom('chain_cursors').selectAll();
  const row = await (network ? rows.where('network', '=', network) : rows).executeTakeFirstOrThrow();
  return { ...row, height: Number(row.height), confirmed: Number(row.confirmed_height), head: Number(row.head_height) };
}

/** The height of the node's latest block. */
export const headOf = async (bench: Bench): Promise<number> => Number(await bench.node.rpc('eth_blockNumber'));
