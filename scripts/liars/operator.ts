import { setTimeout as sleep } from 'node:timers/promises';
import { createAdminClient } from '../../clients/typescript/src/admin.ts';
import { upsertAdmin } from '../../src/admins/first-admin.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { isGone } from '../crash/payments/customer.ts';

type Client = ReturnType<typeof createAdminClient>;
export type SeenIncident = Awaited<ReturnType<Client['incidents']['list']>>['data'][number];

/** An administrator who reads incidents over the API, whatever is killed meanwhile. */
export type Operator = {
  /** The incidents of the network that opened at or after `since`. */
  readonly opened: (since: Date) => Promise<readonly SeenIncident[]>;
  /** The incidents of the network that are not over. */
  readonly current: () => Promise<readonly SeenIncident[]>;
  readonly get: (id: string) => Promise<SeenIncident>;
  readonly resolve: (id: string, note: string) => Promise<void>;
};

const ACCOUNT = { email: 'operator@kasi.example', password: 'Str0ng-enough' };
const TRY_AGAIN_MS = 200;
const PAGE = 100;

export async function openOperator(db: Db, baseUrl: string, network: string): Promise<Operator> {
  await upsertAdmin({ db, passwords: createPasswords() }, ACCOUNT, new Date());
  const { incidents } = createAdminClient({ baseUrl, ...ACCOUNT, timeoutMs: 5_000, maxRetries: 0 });
  const until = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isGone(error)) throw error;
        await sleep(TRY_AGAIN_MS);
      }
    }
  };
  const list = async (filter: { readonly since?: string }): Promise<readonly SeenIncident[]> =>
    (await until(() => incidents.list({ network, limit: PAGE, ...filter }))).data;
  return {
    opened: async (since) =>
      (await list({ since: since.toISOString() })).filter(({ openedAt }) => new Date(openedAt) >= since),
    current: async () => (await list({})).filter(({ resolvedAt }) => resolvedAt === null),
    get: (id) => until(() => incidents.get(id)),
    resolve: async (id, note) => void (await until(() => incidents.resolve(id, { note }))),
  };
}
