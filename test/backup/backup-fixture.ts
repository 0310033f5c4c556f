import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { hashTable } from '../../src/backup/load.ts';
import { listTables } from '../../src/backup/tables.ts';
import { withCopying } from '../../src/db/copying.ts';
import { type Claim, proveIdentity } from '../../src/deployment/identity.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import { createDatabase, type TestDatabase, urlsOf, withDatabase } from '../support/database.ts';
import type { Payouts } from '../support/payouts.ts';
import { BANK } from '../support/payouts.ts';
import { arrived, claimed } from '../support/refunds.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { subscribe } from '../support/subscriptions.ts';

export const MASTER = Buffer.alloc(32, 7);
export const BACKUP_KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f000112233445566778899aabbccddee01';
export const ring = createKeyRing(Buffer.from(BACKUP_KEY, 'hex'));
export const claim = { mode: 'sandbox', id: 'test-shop', ring: createKeyRing(MASTER) } as const satisfies Claim;

/** The URL by which a service's database is reached as its owner. */
export const ownerUrlOf = async ({ db }: Pick<TestService, 'db'>): Promise<string> => (await urlsOf(db)).ownerUrl;

/** A file of the run that is not there yet. */
export const newFile = (): string => join(makeTestFolder(inject('runFolder')), 'copy.kasi');

const emptied: string[] = [];

/** An empty database, as `create database` leaves it. */
export async function emptyDatabase(): Promise<Pick<TestDatabase, 'url' | 'ownerUrl'>> {
  const { url, ownerUrl } = inject('postgres');
  const name = `kasi_restored_${randomBytes(8).toString('hex')}`;
  await createDatabase(ownerUrl, name);
  emptied.push(name);
  return { url: withDatabase(url, name), ownerUrl: withDatabase(ownerUrl, name) };
}

export async function dropEmptied(): Promise<void> {
  const maker = new pg.Client({ connectionString: inject('postgres').ownerUrl });
  await maker.connect();
  for (const name of emptied.splice(0)) await maker.query(`drop database if exists ${name} with (force)`);
  await maker.end();
}

/** The hash of each table's rows, by name. */
export const hashAll = (ownerUrl: string): Promise<Record<string, string>> =>
  withCopying(ownerUrl, 'kasi-test', async (db) => {
    const hashes: Record<string, string> = {};
    for (const table of await listTables(db)) hashes[table.name] = await hashTable(db, table);
    return hashes;
  });

/** Payments, refunds, withdrawals, subscriptions, keys, webhooks and an audit log that is partly sealed. */
export async function tellStories(service: TestService, merchant: TestMerchant, payouts: Payouts): Promise<void> {
  await proveIdentity(service.db, claim);
  const { client } = merchant;
  await client.apiKeys.create({ name: 'Web shop' });
  await client.merchants.update(merchant.id, { webhookUrl: 'http://127.0.0.1:9/hook' });
  await client.payments.create(
    { amount: 10, currency: 'USD', description: 'Tea\twith\nlines, \\ and “quotes” 茶', metadata: { order: 'A\\1' } },
    { idempotencyKey: 'order-1' },
  );
  for (const amount of ['25', '27', '10']) await arrived(service, merchant, amount);
  await claimed(service, merchant);
  await payouts.approved();
  await payouts.create(BANK);
  await subscribe(client);
  await client.paymentLinks.create({ title: 'Tea', amount: 5, currency: 'USD' });
  for (const job of ['events.seal', 'audit.seal', 'tallies.roll-up']) await service.runJob(job);
  await payouts.create();
}
