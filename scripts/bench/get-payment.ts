import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { serviceFlags } from '../lib/service-command.mjs';
import { type Cost, costOf, findPostmaster, inWords, medianCost } from './cpu.ts';
import type { Figure } from './figure.ts';
import { type LoadOptions, load, readAs } from './load.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

const LOAD: LoadOptions = { connections: 32, seconds: 5 };
const ROUNDS = 3;

/**
 * Measures the CPU that reading one payment with a Bearer token costs, against the simplest hand-written route on the
 * same row, under the same flags; alternating, so that noise hits both.
 */
export async function benchGetPayment(service: BenchService): Promise<Figure> {
  const { token } = await registerBenchMerchant(service);
  const payment = await createClient({ baseUrl: service.url, token }).payments.create({ amount: 25, currency: 'USD' });
  const port = await findFreePort();
  const bare = fork('scripts/bench/bare-server.ts', [service.databaseUrl, String(port)], { execArgv: serviceFlags });
  await once(bare, 'message');
  try {
    const postmaster = await findPostmaster(service.databaseUrl);
    const ours: Cost[] = [];
    const theirs: Cost[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const them = await costOf(bare.pid as number, postmaster, () =>
        load(`http://127.0.0.1:${port}`, { method: 'GET', path: `/payments/${payment.id}`, headers: {} }, LOAD),
      );
      const us = await costOf(service.pid, postmaster, () =>
        load(service.url, readAs(token, `/v1/payments/${payment.id}`), LOAD),
      );
      if (round === 0) continue; // Warm-up: both sides are still being compiled.
      theirs.push(them);
      ours.push(us);
    }
    const [us, them] = [medianCost(ours), medianCost(theirs)];
    return {
      name: 'GET one payment, CPU of a bare route to ours',
      value: them.nodeUs / us.nodeUs,
      limit: { atLeast: 0.8 },
      detail: `${inWords(us)} to ${inWords(them)}`,
    };
  } finally {
    bare.kill();
  }
}
