import { type ClientRequest, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../clients/typescript/src/index.ts';
import { inLanes } from '../../src/lib/in-parallel.ts';
import { type Figure, median, percentile } from './figure.ts';
import { type BenchService, PASSWORD, registerBenchMerchant } from './service.ts';

const STREAMS = 400;
/** What one address may have open, as src/payments/stream.ts says. */
const STREAMS_OPEN_MAX = 32;
const READERS = 4;
const READ_MS = 4_000;
const ROUNDS = 3;
/** Who is refused asks again: as often as a browser does. */
const AGAIN_MS = 2_000;

const ADDRESSES = 1_000;
const LOGINS = 10_000;
const LOGINS_AT_ONCE = 32;
const OWNER_EVERY_MS = 1_000;
/** The addresses of the owner and of somebody else, among those that the proxy names. */
const [OWNER_AT, OTHER_AT] = ['203.0.113.7', '198.51.100.9'];

/**
 * Measures what a crowd costs everybody else: 400 streams that one address opens, and 10,000 wrong logins at one
 * account from 1,000 addresses that a trusted proxy names.
 */
export async function benchHostileCrowd(service: BenchService): Promise<Figure[]> {
  return [...(await measureStreams(service)), ...(await measureLogins(service))];
}

async function measureStreams(service: BenchService): Promise<Figure[]> {
  const { token } = await registerBenchMerchant(service);
  const { payments } = createClient({ baseUrl: service.url, token });
  const { id } = await payments.create({ amount: 25, currency: 'USD' });
  const ask = () => readPublic(service.url, id);
  const alone: number[] = [];
  const crowded: number[] = [];
  let most = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = await latencies(ask);
    const crowd = openCrowd(service.url, id);
    await sleep(AGAIN_MS);
    const during = await latencies(ask);
    most = Math.max(most, crowd.open());
    await crowd.close();
    if (round === 0) continue; // Warm-up: the code is still being compiled.
    alone.push(percentile(before, 0.99));
    crowded.push(percentile(during, 0.99));
  }
  const [quiet, busy] = [median(alone), median(crowded)];
  return [
    {
      name: `Open streams of one address that opens ${STREAMS}`,
      value: most,
      limit: { atMost: STREAMS_OPEN_MAX },
      detail: `${STREAMS - most} are refused and ask again every ${AGAIN_MS / 1000} s`,
    },
    {
      name: 'GET one payment while they try, p99, against without',
      value: busy / quiet,
      limit: { atMost: 2 },
      detail: `${busy.toFixed(1)} to ${quiet.toFixed(1)} ms`,
    },
  ];
}

async function readPublic(url: string, id: string): Promise<void> {
  const { ok, status } = await fetch(`${url}/v1/public/payments/${id}`);
  if (!ok) throw new Error(`a read was answered with ${status}`);
}

/** How long each of some reads took that a few readers made for a while, in milliseconds. */
async function latencies(ask: () => Promise<void>): Promise<number[]> {
  const took: number[] = [];
  const until = performance.now() + READ_MS;
  const read = async (): Promise<void> => {
    while (performance.now() < until) {
      const since = performance.now();
      await ask();
      took.push(performance.now() - since);
    }
  };
  await inLanes(READERS, read);
  return took;
}

/** Streams from this machine's one address, each of which is tried again when it is refused or ends. */
function openCrowd(url: string, id: string) {
  let [open, over] = [0, false];
  const calls = new Set<ClientRequest>();
  const streams = Array.from({ length: STREAMS }, async () => {
    while (!over) {
      await new Promise<void>((resolve) => {
        const call = get(`${url}/v1/public/payments/${id}/events`, { agent: false }, (response) => {
          const counts = response.statusCode === 200;
          if (counts) open += 1;
          response.resume();
          response.once('close', () => {
            if (counts) open -= 1;
            resolve();
          });
        });
        call.once('error', () => resolve());
        calls.add(call);
        call.once('close', () => calls.delete(call));
      });
      if (!over) await sleep(AGAIN_MS);
    }
  });
  return {
    open: () => open,
    close: async (): Promise<void> => {
      over = true;
      for (const call of calls) call.destroy();
      await Promise.all(streams);
    },
  };
}

async function measureLogins(service: BenchService): Promise<Figure[]> {
  const owner = await openAccount(service, OWNER_AT);
  const other = await openAccount(service, OTHER_AT);
  const counts = new Map<number, number>();
  const note = (status: number): unknown => counts.set(status, (counts.get(status) ?? 0) + 1);
  let [next, over] = [0, false];
  const guess = async (): Promise<void> => {
    while (next < LOGINS) {
      const number = next;
      next += 1;
      const at = `10.0.${Math.floor((number % ADDRESSES) / 250)}.${(number % 250) + 1}`;
      note(await logIn(service, { email: owner.email, password: `Wrong-${number}`, at }));
    }
  };
  const since = performance.now();
  const honest = { asked: 0, let: 0 };
  const logInBoth = async (): Promise<void> => {
    for (const { email, at } of [owner, other]) {
      honest.asked += 1;
      if ((await logIn(service, { email, password: PASSWORD, at })) === 200) honest.let += 1;
    }
  };
  const living = (async () => {
    for (; !over; await sleep(OWNER_EVERY_MS)) await logInBoth();
  })();
  await inLanes(LOGINS_AT_ONCE, guess);
  const seconds = (performance.now() - since) / 1000;
  over = true;
  await living;
  await logInBoth();
  const tried = counts.get(401) ?? 0;
  const answers = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
  return [
    {
      name: `Passwords tried, of ${LOGINS} wrong ones from ${ADDRESSES} addresses`,
      value: tried,
      // The budget of all unknown devices is 20, and one more after each pause.
      limit: { atMost: 100 },
      detail: `${answers} in ${seconds.toFixed(0)} s`,
    },
    {
      name: 'Logins of the owner and of another merchant, meanwhile and afterwards',
      value: honest.let / honest.asked,
      limit: { atLeast: 1 },
      detail: `${honest.let} of ${honest.asked}`,
    },
  ];
}

/** A merchant that has registered from an address. */
async function openAccount(
  { url }: BenchService,
  at: string,
): Promise<{ readonly email: string; readonly at: string }> {
  const email = `crowd-${Math.random().toString(36).slice(2)}@example.org`;
  const about = { businessName: 'Crowd', phone: '+94112345678', businessType: 'company' };
  const { status } = await post(`${url}/v1/auth/register`, at, { ...about, email, password: PASSWORD });
  if (status !== 201) throw new Error(`a registration was answered with ${status}`);
  return { email, at };
}

type Login = { readonly email: string; readonly password: string; readonly at: string };

const logIn = async ({ url }: BenchService, { at, ...body }: Login): Promise<number> =>
  (await post(`${url}/v1/auth/login`, at, body)).status;

/** As the proxy passes it on for a client at the address `at`. */
async function post(url: string, at: string, body: object): Promise<{ readonly status: number }> {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': at };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  await response.arrayBuffer();
  return response;
}
