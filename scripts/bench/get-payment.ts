import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '../../clients/typescript/src/index.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { serviceFlags } from '../lib/service-command.mjs';
import { costInTurn, costOf, findPostmaster, inWords } from './cpu.ts';
import type { Figure } from './figure.ts';
import { type LoadOptions, type LoadRequest, load, readAs } from './load.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

const LOAD: LoadOptions = { connections: 32, seconds: 2 };
/** Many short rounds, each with a ratio of its own, because the machine is faster in one minute than in the next. */
const ROUNDS = 9;
/** Until both sides are compiled. */
const WARM_UP: LoadOptions = { ...LOAD, seconds: 6 };

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
    const costFor = (pid: number, url: string, request: LoadRequest) => (isWarmUp: boolean) =>
      costOf(pid, postmaster, () => load(url, request, isWarmUp ? WARM_UP : LOAD));
    const { us, them, ratio } = await costInTurn(
      ROUNDS,
      costFor(service.pid, service.url, readAs(token, `/v1/payments/${payment.id}`)),
      costFor(bare.pid as number, `http://127.0.0.1:${port}`, {
        ...{ method: 'GET', path: `/payments/${payment.id}`, headers: {} },
      }),
    );
    return {
      name: 'GET one payment, CPU of a bare route to ours',
      value: 1 / ratio(({ nodeUs }) => nodeUs),
      ...{ limit: { atLeast: 0.8 } },
      detail: `${inWords(us)} to ${inWords(them)}`,
    };
  } finally {
    bare.kill();
  }
}
