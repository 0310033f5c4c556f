import { sql } from 'kysely';
import { zeroAddress } from 'viem';
import { createStickyRequest } from '../../src/chains/endpoints.ts';
import { readBalances } from '../../src/chains/evm/balances.ts';
import { createEvmReader } from '../../src/chains/evm/rpc.ts';
import { createWatcher } from '../../src/chains/watcher.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { startDevChain } from '../../src/sandbox/dev-chain.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { startLiar } from '../liars/proxy.ts';
import { makeDataFolder, removeDataFolder } from '../lib/service-process.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, createBenchDatabase, type Endings } from './service.ts';
import { processorMs } from './watch-bitcoin.ts';
import { openPayments } from './watch-transfers.ts';

const ADDRESSES = 10_000;
const ROUNDS = 12;
const WARM_UP = 4;

/**
 * Measures a pass over open deposit addresses that may be paid in ETH: a new block, what all of them hold after it, and
 * the comparison with what is stored. Against the bare questions by the same view: processor time of this process,
 * without the node's and the database's.
 */
export async function benchWatchEther(service: BenchService, endings: Endings): Promise<Figure[]> {
  const dataDir = makeDataFolder();
  endings.push(() => removeDataFolder(dataDir));
  const chain = await startDevChain({ dataDir, now: new Date(), log: () => {} });
  endings.push(() => chain.stop());
  const counted = await startLiar(chain.rpcUrl);
  endings.push(() => counted.close());
  const network = { ...(await prepareSandboxNetwork({ rpcUrl: chain.rpcUrl })), rpcUrl: counted.url };
  const db = openDatabase({
    ...{ url: await createBenchDatabase(service, 'kasi_watch_ether'), poolMax: 4, applicationName: 'bench' },
    onError: () => {},
  });
  endings.push(() => db.destroy());
  await openPayments(db, ADDRESSES);
  const addresses = await offerEther(db, network.name);
  const watcher = createWatcher({
    ...{ db, network, reader: createEvmReader(network), worker: 'bench', matchers: [paymentMatcher], log: () => {} },
    ...{ confirmationsOn: async () => network.confirmations, now: () => new Date() },
  });
  endings.push(() => watcher.release());
  const pass = async (): Promise<void> => {
    while ((await watcher.look()) !== 'level');
  };
  await pass();
  const request = createStickyRequest(network);
  const [ours, bare, calls]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    await chain.mine(1);
    counted.forget();
    const passed = await processorMs(pass);
    const asked = counted.calls().length;
    const block = await createEvmReader(network).getHead();
    const read = await processorMs(async () => {
      const held = await readBalances(request, network, zeroAddress, addresses, block);
      if (held.length !== ADDRESSES) throw new Error('that is not every address');
    });
    if (round < WARM_UP) continue;
    ours.push(passed);
    bare.push(read);
    calls.push(asked);
  }
  return [
    {
      name: 'ETH: a pass over 10,000 open addresses, against the bare questions',
      value: median(bare) / median(ours),
      limit: { atLeast: 0.4 },
      detail: `bare questions ${median(bare).toFixed(0)} ms to ${median(ours).toFixed(0)} ms of processor time`,
    },
    {
      name: 'ETH: calls of a pass over 10,000 open addresses',
      value: median(calls),
      limit: { atMost: ADDRESSES / 1000 + 5 },
      detail: '10 are the least that a view of 1,000 addresses takes',
    },
  ];
}

/** Lets all payments be paid in ETH. Returns their addresses. */
async function offerEther(db: Db, network: string): Promise<string[]> {
  const option = JSON.stringify({ token: 'ETH', network });
  await sql`update payments set options = options || jsonb_build_array(${option}::jsonb)`.execute(db);
  const { rows } = await sql<{ address: string }>`select address from deposit_addresses where kind = 'evm'`.execute(db);
  return rows.map(({ address }) => address);
}
