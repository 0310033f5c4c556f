import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faucet } from '../../src/chains/evm/faucet.ts';
import { inLanes } from '../../src/lib/in-parallel.ts';
import type { Network, Token } from '../../src/ports/chain.ts';

/** Requests that go on during an upgrade, to whichever process takes them. */
export type Load = {
  readonly requests: number;
  /** Requests that were sent again, because a process was gone before it answered. */
  readonly retried: number;
  /** Answers that were neither what was asked for nor a lost connection. */
  readonly failures: readonly string[];
  /** Every payment that was answered and paid on the chain. */
  readonly paid: readonly string[];
};

export type LoadOptions = {
  readonly baseUrls: readonly string[];
  readonly token: string;
  readonly network: Network;
  /** Pays on the chain itself, without the service. */
  readonly faucet: Faucet;
  readonly shoppers: number;
};

const LOST_MAX_MS = 60_000;
const THINK_MS = 50;

/** Lets shoppers make, read and pay payments until `end`, which resolves when the last of them has left. */
export function startLoad(options: LoadOptions): { readonly end: () => Promise<Load> } {
  const { baseUrls, token, network, faucet, shoppers } = options;
  const [failures, paid]: [string[], string[]] = [[], []];
  let [requests, retried, ended] = [0, 0, false];

  /** Sends a request, and again elsewhere while no process takes it: under its key it has one effect. */
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, string> | undefined> => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    const until = performance.now() + LOST_MAX_MS;
    requests += 1;
    for (let turn = requests; performance.now() < until; turn += 1) {
      const url = `${baseUrls[turn % baseUrls.length]}${path}`;
      try {
        const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        const text = await response.text();
        if (response.ok) return JSON.parse(text) as Record<string, string>;
        // The former attempt is still being answered.
        if (!text.includes('IDEMPOTENCY_IN_PROGRESS')) {
          failures.push(`${method} ${path}: ${response.status} ${text.slice(0, 200)}`);
          return undefined;
        }
      } catch {
        retried += 1;
      }
      await sleep(THINK_MS);
    }
    failures.push(`${method} ${path}: nobody took it for ${LOST_MAX_MS / 1000} s`);
    return undefined;
  };

  const usdt = usdtOn(network);
  const shop = async (): Promise<void> => {
    while (!ended) {
      const payment = await ask('POST', '/v1/payments', { amount: 3, currency: 'USD', acceptedTokens: ['USDT'] });
      if (payment) {
        await ask('GET', `/v1/payments/${payment['id']}`);
        await faucet.transfer({
          token: usdt,
          to: payment['cryptoAddress'] ?? '',
          units: 3n * 10n ** BigInt(usdt.decimals),
        });
        paid.push(payment['id'] ?? '');
        await ask('GET', `/v1/payments?limit=5`);
      }
      await sleep(THINK_MS);
    }
  };
  const all = inLanes(shoppers, shop);
  all.catch(() => undefined); // It is thrown by `end`.
  return {
    end: async () => {
      ended = true;
      await all;
      return { requests, retried, failures, paid };
    },
  };
}

function usdtOn({ name, tokens }: Network): Token {
  const usdt = tokens.find(({ symbol }) => symbol === 'USDT');
  if (!usdt) throw new Error(`${name} has no USDT`);
  return usdt;
}
