import { RawTx } from '@scure/btc-signer';
import { sql } from 'kysely';
import { deriveDevKeys } from '../../src/chains/bitcoin/dev-wallet.ts';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { startBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { makeDataFolder, removeDataFolder } from '../lib/service-process.ts';
import { addFullBlock } from './bitcoin-block.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings } from './service.ts';
import { openPayments } from './watch-transfers.ts';

const TRANSACTIONS = 3_000;
const OURS = 20;
const SCRIPTS = 100_000;
/** Its canonical spelling begins as all of this chain do. */
const SOMEONE = 'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx';
const ROUNDS = 24;
const WARM_UP = 4;

/**
 * Measures scanning one full block of Bitcoin with many open scripts, against a program that asks the node for the
 * block and decodes it with the library: processor time of this process, without the node's and the database's.
 */
export async function benchWatchBitcoin(service: BenchService, endings: Endings): Promise<Figure> {
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const node = await startBitcoinNode({ dataDir, now: new Date(), log: () => {} });
  endings.push(() => node.stop());
  const { accountKey } = deriveDevKeys(MNEMONIC);
  const network = bitcoin.parseNetwork({ name: 'regtest', chain: 'regtest', rpcUrl: node.rpcUrl, accountKey });
  const db = openDatabase({
    ...{ url: await createBenchDatabase(service, 'kasi_watch_bitcoin'), poolMax: 4, applicationName: 'bench' },
    onError: () => {},
  });
  endings.push(() => db.destroy());
  await openPayments(db, SCRIPTS);
  const keys = await openScripts(db);
  const reader = bitcoin.openReader(network);
  const level = async (): Promise<void> => {
    const watcher = createWatcher({
      ...{ db, network, reader, worker: 'bench', matchers: [paymentMatcher], log: () => {} },
      ...{ confirmationsOn: async () => network.confirmations, now: () => new Date() },
    });
    while ((await watcher.look()) !== 'level');
    await watcher.release();
  };
  const block = await addFullBlock(node, TRANSACTIONS, keys, level);
  const { depths: _, ...start } = await db.selectFrom('chain_cursors').selectAll().executeTakeFirstOrThrow();
  const hash = await node.rpc<string>('getblockhash', [block.height]);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    await db.deleteFrom('credits').execute();
    await db.deleteFrom('chain_blocks').where('height', '>', start.height).execute();
    await db.updateTable('chain_cursors').set(start).execute();
    const scanned = await processorMs(level);
    const decoded = await processorMs(async () => {
      const raw = Buffer.from(await node.rpc<string>('getblock', [hash, false]), 'hex');
      if (raw.length < TRANSACTIONS) throw new Error('that is no full block');
      for (const transaction of block.transactions) RawTx.decode(transaction);
    });
    if (round < WARM_UP) continue;
    ours.push(scanned);
    bare.push(decoded);
  }
  const { count } = await db
    .selectFrom('credits')
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) !== OURS) throw new Error(`${count} outputs were found, not ${OURS}`);
  return {
    name: 'Bitcoin block of 3,000 transactions, 100,000 open scripts',
    value: median(bare) / median(ours),
    limit: { atLeast: 0.5 },
    detail: `bare decoding ${median(bare).toFixed(0)} ms to ${median(ours).toFixed(0)} ms of processor time`,
  };
}

/** The processor time of this process that some work takes. */
export async function processorMs(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Gives each payment a script, and returns those that the block pays. */
async function openScripts(db: Db): Promise<Uint8Array[]> {
  const marked = bitcoin.addresses.canonical(SOMEONE);
  const mark = marked.slice(0, marked.indexOf('0014'));
  const { rows } = await sql<{ script: string }>`
    insert into deposit_addresses (kind, address, payment_id)
    select 'bitcoin', ${mark} || '0014be' || lpad(to_hex(n), 38, '0'), 'pay_' || n
      from generate_series(1, ${SCRIPTS}::integer) n returning right(address, 44) as script`.execute(db);
  return rows.slice(0, OURS).map(({ script }) => new Uint8Array(Buffer.from(script, 'hex')));
}
