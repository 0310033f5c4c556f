import { sql } from 'kysely';
import { type Address, createClient as createChainClient, type Hex, http, keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { getTransactionCount, sendRawTransaction } from 'viem/actions';
import { createClient } from '../../clients/typescript/src/index.ts';
import { waitForReceipt } from '../../src/chains/evm/client.ts';
import { COLLECT_BATCH_MAX, encodeCollectMany } from '../../src/chains/evm/collector.ts';
import { openDatabase } from '../../src/db/database.ts';
import type { Db } from '../../src/lib/db-types.ts';
import type { Network } from '../../src/ports/chain.ts';
import { createRpc } from '../../src/sandbox/anvil.ts';
import { prepareSandboxNetwork, sandboxOperatorKey } from '../../src/sandbox/network.ts';
import { onChain } from '../../src/subscriptions/mandates.ts';
import { type Crowd, openCrowd } from './crowd.ts';
import { type Figure, median } from './figure.ts';
import { type BenchService, type Endings, registerBenchMerchant } from './service.ts';

const PEOPLE = 1_000;
const ROUNDS = 5;
/** Rounds in which code is still being compiled. */
const WARM_UP = 2;
/** A block comes this often, whoever sends, as on a chain that others use, too. */
const BLOCK_MS = 100;
const PRICE_UNITS = 5_000_000n;
const WITHIN_MS = 60_000;

/**
 * Renewals from due to paid, for a thousand that are due at once, against the node's own limit: the same calls of the contract in the same
 * hundreds, signed and sent by nobody who keeps anything.
 */
export async function benchRenewals(service: BenchService, endings: Endings): Promise<Figure[]> {
  const db = openDatabase({ url: service.databaseUrl, poolMax: 4, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  const sandbox = await createClient({ baseUrl: service.url }).sandbox.get();
  const network = await prepareSandboxNetwork({ rpcUrl: sandbox.networks[0]?.rpcUrl ?? '' });
  const { id: merchantId } = await registerBenchMerchant(service);
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const known = await openCrowd(db, network, { merchantId, count: PEOPLE, now: new Date() });
    const unknown = await openCrowd(db, network, { merchantId: null, count: PEOPLE, now: new Date() });
    const sides = [
      { times: ours, work: () => renew(db, known) },
      { times: bare, work: () => collectBare(network, unknown) },
    ];
    // In either order, so that what else the machine does falls on both.
    for (const { times, work } of round % 2 === 0 ? sides : sides.reverse()) {
      const took = await timed(network, work);
      if (round >= WARM_UP) times.push(took);
    }
  }
  const perSecond = (ms: number): number => PEOPLE / (ms / 1000);
  const [oursMs, bareMs] = [median(ours), median(bare)];
  return [
    {
      name: 'Renewals, from due to paid',
      value: perSecond(oursMs),
      unit: 'a second',
      limit: null,
      detail: `${PEOPLE} that are due at once in ${oursMs.toFixed(0)} ms`,
    },
    {
      name: "Renewals, against the node's own limit for the same calls",
      value: bareMs / oursMs,
      limit: { atLeast: 0.5 },
      detail: `${perSecond(oursMs).toFixed(0)} to ${perSecond(bareMs).toFixed(0)} a second`,
    },
  ];
}

async function timed(network: Network, work: () => Promise<void>): Promise<number> {
  const rpc = createRpc(network.rpcUrl);
  const blocks = setInterval(() => void rpc('anvil_mine', ['0x1']).catch(() => undefined), BLOCK_MS);
  try {
    const start = performance.now();
    await work();
    return performance.now() - start;
  } finally {
    clearInterval(blocks);
  }
}

/** Resolves when the service has renewed everybody. */
async function renew(db: Db, crowd: Crowd): Promise<void> {
  await crowd.becomeDue();
  const end = performance.now() + WITHIN_MS;
  for (;;) {
    const { rows } = await sql<{ left: boolean }>`
      select exists (select from subscriptions where id = any (${[...crowd.ids]}::text[]) and period_number = 1) as left`.execute(
      db,
    );
    if (rows[0]?.left === false) return;
    if (performance.now() > end) throw new Error('the service does not renew');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resolves when the node has taken the same money from as many. */
async function collectBare(network: Network, crowd: Crowd): Promise<void> {
  const account = privateKeyToAccount(sandboxOperatorKey() as Hex);
  const client = createChainClient({ transport: http(network.rpcUrl) });
  const first = await getTransactionCount(client, { address: account.address, blockTag: 'pending' });
  const batches = Array.from({ length: PEOPLE / COLLECT_BATCH_MAX }, (_, i) =>
    crowd.mandates.slice(i * COLLECT_BATCH_MAX, (i + 1) * COLLECT_BATCH_MAX),
  );
  await Promise.all(
    batches.map(async (mandates, i) => {
      const charges = mandates.map((mandate) => ({ mandate: onChain(mandate), amount: PRICE_UNITS, number: 2 }));
      const serializedTransaction = await account.signTransaction({
        ...{ type: 'eip1559', chainId: network.chainId, nonce: first + i, to: network.collector as Address },
        ...{
          data: encodeCollectMany(charges),
          gas: 10_100_000n,
          maxFeePerGas: 20_000_000_000n,
          maxPriorityFeePerGas: 1_000_000_000n,
        },
      });
      await sendRawTransaction(client, { serializedTransaction });
      const { status, logs } = await waitForReceipt(client, keccak256(serializedTransaction));
      if (status !== 'success' || logs.length !== 2 * mandates.length) throw new Error('the node did not collect');
    }),
  );
}
