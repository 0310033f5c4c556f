import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type AdminClient, createAdminClient } from '../../clients/typescript/src/admin.ts';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { limitRules } from '../../generated/operations.ts';
import { isEvmNetwork } from '../../src/chains/evm/network.ts';
import type { Service } from '../../src/compose.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { createWebhookKeys } from '../../src/webhooks/keys.ts';
import { createScriptedChain, type Payable } from '../../test/support/scripted-chain.ts';
import { fund } from '../../test/support/withdrawals.ts';
import { SCALE_MERCHANT } from './seed-scale.ts';
import { PASSWORD } from './service.ts';

/** Hashing is not measured. */
export const CHEAP_PASSWORDS = { memoryKib: 64, passes: 1, lanes: 1 };
/** Every use is counted, and none refused. */
export const LIMITS = Object.keys(limitRules)
  .map((name) => `${name}=1000000000`)
  .join();
/** Of a merchant that has withdrawals waiting already. */
const SETTINGS = {
  ...{ withdrawalMaxOpen: 1_000_000, withdrawalDailyMax: '900000000.00', refundDailyMax: '900000000.00' },
  verifyPayoutOnChain: false,
};
const CENTS = 100_000_000_000n;

/** The large merchant of a database and everybody around it, each by its own client. */
export type Shop = {
  readonly db: Db;
  readonly merchantId: string;
  readonly email: string;
  readonly client: Client;
  /** The merchant's program, by a signed API key. */
  readonly program: Client;
  /** Payers and customers. */
  readonly anyone: Client;
  readonly admin: AdminClient;
  /** The e-mail address of an administrator beside `admin`. */
  readonly otherAdmin: string;
  readonly network: string;
  /** Where the merchant takes webhooks. */
  readonly webhookUrl: string;
  /** A session of the merchant's own, with its tokens. */
  readonly signIn: () => Promise<Client>;
  /** A client of another session. */
  readonly clientOf: (tokens: { readonly token: string; readonly refreshToken: string }) => Client;
  readonly signInAsAdmin: (email: string) => Promise<AdminClient>;
  /** Lets a transfer reach a payment and be confirmed; nothing applies it yet. */
  readonly transfer: (payment: Payable, amount?: string) => Promise<string>;
  readonly runJob: (name: string) => Promise<void>;
  /** A text that no other call returns. */
  readonly unique: () => string;
  readonly close: () => Promise<void>;
};

/** Starts a service that nothing was done in yet, and lets everybody in. */
export async function openShop(service: Service): Promise<Shop> {
  const { db, clock, keyRing, networks } = service.platform;
  const baseUrl = await service.start();
  const receiver = await takeWebhooks();
  const options = { baseUrl, maxRetries: 0 };
  const unique = uniqueTexts();
  const clientOf: Shop['clientOf'] = (tokens) => createClient({ ...options, ...tokens });
  const emails = await letIn(service);
  const network = networks.find(isEvmNetwork);
  if (!network) throw new Error('the service has no network to pay on');
  const chain = await createScriptedChain(db, clock, network);
  const client = createClient({ ...options, email: emails.merchant, password: PASSWORD });
  await client.webhooks.endpoint.update({ url: receiver.url });
  const { apiKey, apiSecret } = await client.apiKeys.create({ name: 'Bench' });
  await inTransaction(db, (trx) => createWebhookKeys(trx, keyRing, SCALE_MERCHANT, clock.real()));
  await fund(db, SCALE_MERCHANT, CENTS);
  return {
    ...{ db, merchantId: SCALE_MERCHANT, email: emails.merchant, client, network: network.name, unique },
    webhookUrl: receiver.url,
    program: createClient({ ...options, apiKey, apiSecret }),
    anyone: createClient(options),
    admin: createAdminClient({ ...options, email: emails.admin, password: PASSWORD }),
    otherAdmin: emails.otherAdmin,
    signIn: async () => {
      const { token, refreshToken } = await createClient(options).auth.login({
        email: emails.merchant,
        password: PASSWORD,
      });
      return clientOf({ token, refreshToken });
    },
    clientOf,
    signInAsAdmin: async (email) => {
      const { token, refreshToken } = await createAdminClient(options).auth.login({ email, password: PASSWORD });
      return createAdminClient({ ...options, token, refreshToken });
    },
    transfer: (payment, amount) => chain.transfer(payment, amount === undefined ? {} : { amount }),
    runJob: (name) => runJob(service, name),
    close: receiver.close,
  };
}

async function runJob({ features, platform: { clock } }: Service, name: string): Promise<void> {
  const job = features.jobs.find((each) => each.name === name);
  if (!job) throw new Error(`the service has no job ${name}`);
  await job.run({ now: clock.now(), real: clock.real(), signal: new AbortController().signal });
}

function uniqueTexts(): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `bench${made}`;
  };
}

/** Gives the merchant a password, and two administrators all rights. */
async function letIn({ platform: { db, clock } }: Service) {
  const hash = await createPasswords(CHEAP_PASSWORDS).hash(PASSWORD);
  const now = clock.now();
  const values = { id: 1, overrides: JSON.stringify(SETTINGS), updated_at: now };
  await db
    .insertInto('platform_settings')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ overrides: values.overrides }))
    .execute();
  const { email } = await db
    .updateTable('merchants')
    .set({ password_hash: hash })
    .where('id', '=', SCALE_MERCHANT)
    .returning('email')
    .executeTakeFirstOrThrow();
  const role = await db.selectFrom('roles').select('id').where('is_super', '=', true).executeTakeFirstOrThrow();
  const admins = ['admin@bench.example', 'other@bench.example'] as const;
  for (const each of admins) {
    const rights = { role_id: role.id, status: 'active', password_hash: hash } as const;
    const row = { id: newId('admin', now), email: each, name: 'Bench', ...rights, created_at: now, updated_at: now };
    await db.insertInto('admins').values(row).execute();
  }
  return { merchant: email, admin: admins[0], otherAdmin: admins[1] };
}

/** A server in this process that takes every webhook, but those that are sent to `/fails`. */
async function takeWebhooks() {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.writeHead(request.url === '/fails' ? 500 : 204).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
