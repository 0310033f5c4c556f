import { afterAll, beforeAll } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { after, SECOND_MS } from '../../src/lib/clock.ts';
import { logIn } from '../../src/merchants/login.ts';
import type { MerchantInput } from '../../src/merchants/merchant.ts';
import { updateMerchant } from '../../src/merchants/service.ts';
import { changeMerchantStatus } from '../../src/merchants/status-changes.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import {
  circumstancesAt,
  makeTestMerchants,
  PASSWORD,
  registerTestMerchant,
  type TestMerchants,
} from '../support/merchants.ts';

export const NOW = new Date('2026-01-02T03:00:00.000Z');
export const LATER = after(NOW, 60 * SECOND_MS);

/** Merchants on a database that lives as long as the test file, and operations on them. */
export function useMerchants() {
  let connection: TestConnection;
  let merchants: TestMerchants;
  beforeAll(async () => {
    connection = await connectTestDatabase();
    merchants = await makeTestMerchants(connection);
  });
  afterAll(async () => {
    await merchants.close();
    await connection.close();
  });
  return {
    get db() {
      return connection.db;
    },
    get database() {
      return connection.database;
    },
    get merchants() {
      return merchants;
    },
    register: (email?: string) => registerTestMerchant(merchants.deps, NOW, email),
    update: (id: string, body: Parameters<typeof updateMerchant>[3], now = LATER) =>
      inTransaction(connection.db, (trx) => updateMerchant(trx, merchants.deps, id, body, { now, real: now })),
    move: (id: string, input: MerchantInput, now = LATER) =>
      inTransaction(connection.db, (trx) => changeMerchantStatus(trx, merchants.deps, id, input, now, now)),
    enter: (email: string, password = PASSWORD, circumstances = circumstancesAt(LATER)) =>
      logIn(merchants.deps, { email, password }, circumstances),
    eventsOf: async (merchantId: string) => {
      const rows = await connection.db
        .selectFrom('events')
        .select(['sequence', 'body'])
        .where('resource_id', '=', merchantId)
        .orderBy('sequence')
        .execute();
      return rows.map(({ body }) => JSON.parse(body.toString('utf8')));
    },
  };
}
