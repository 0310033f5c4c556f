import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminVerifier } from '../../src/admins/verifier.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { registerTokens } from '../../src/http/tokens.ts';
import { createSecondFactors } from '../../src/identity/second-factor.ts';
import { startSession } from '../../src/identity/sessions.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { newId } from '../../src/lib/ids.ts';
import type { AdminPrincipal, Permission, Tokens, Verifier } from '../../src/ports/security.ts';
import { connectTestDatabase, type TestConnection } from '../support/connection.ts';
import { codeAt } from '../support/totp.ts';

const real = new Date();
const app = Fastify();

let connection: TestConnection;
let tokens: Tokens;
beforeAll(async () => {
  connection = await connectTestDatabase();
  tokens = await registerTokens(app, { 'merchant-api': 'm'.repeat(32), 'admin-api': 'a'.repeat(32) });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await connection.close();
});

/** An administrator with these permissions; `ask` gives the reason why the verifier refuses `needs`, or 'may'. */
async function makeAdmin(permissions: readonly Permission[]) {
  const { db } = connection;
  const times = { created_at: real, updated_at: real };
  const [id, roleId] = [newId('admin', real), newId('role', real)];
  const role = {
    id: roleId,
    name: `role_${roleId.slice(-8)}`,
    description: 'Of a test.',
    permissions: [...permissions],
  };
  await db
    .insertInto('roles')
    .values({ ...role, ...times })
    .execute();
  const person = {
    id,
    email: `${id}@kasi.example`,
    name: 'Asha',
    password_hash: '',
    role_id: roleId,
    status: 'active',
  };
  await db
    .insertInto('admins')
    .values({ ...person, ...times })
    .execute();
  const origin = { ip: '', userAgent: '', requestId: '' };
  const holder = { type: 'admin', id } as const;
  const { sessionId } = await inTransaction(db, (trx) => startSession(trx, holder, origin, real));
  const authorization = `Bearer ${tokens.sign('admin-api', { sub: id, sid: sessionId }).token}`;
  const ask = async (needs: string, livemode: boolean) => {
    const verifier: Verifier<AdminPrincipal> = adminVerifier({ db, tokens, livemode });
    const credentials = { authorization } as Parameters<typeof verifier.verify>[0];
    const proven = await verifier.verify(credentials, [{ adminBearer: [needs] }], real);
    if (typeof proven === 'function') throw new Error('a token is proven at once');
    const again = await verifier.recheck(db, proven.principal, real).then(
      () => 'may',
      (error: { reason: string }) => error.reason,
    );
    expect(again).toBe(proven.refusal?.reason ?? 'may');
    return again;
  };
  return { holder, ask };
}

test.each(['withdrawals.manage', 'users.manage', 'roles.manage', 'settings.update', 'merchants.terminate'] as const)(
  'in live mode, an administrator with %s may act only on their own account until they enable a second factor',
  async (permission) => {
    const { holder, ask } = await makeAdmin([permission, 'merchants.view']);
    const factors = createSecondFactors({
      sideDb: connection.db,
      keyRing: createKeyRing(Buffer.alloc(32, 1)),
      livemode: true,
    });
    expect([await ask('merchants.view', true), await ask(permission, true)]).toEqual(
      Array.from({ length: 2 }, () => 'two_factor_required'),
    );
    expect([await ask('self', true), await ask(permission, false)]).toEqual(['may', 'may']);
    const { secret } = await inTransaction(connection.db, (trx) =>
      factors.setUp(trx, holder, 'asha@kasi.example', real),
    );
    expect(await ask(permission, true)).toBe('two_factor_required');
    await inTransaction(connection.db, (trx) => factors.enable(trx, holder, codeAt(secret, real), real));
    expect([await ask('merchants.view', true), await ask(permission, true)]).toEqual(['may', 'may']);
  },
);

test('without such permissions no second factor is needed, and a missing permission is reported before a missing factor', async () => {
  const harmless = await makeAdmin(['merchants.view']);
  expect(await harmless.ask('merchants.view', true)).toBe('may');
  const mighty = await makeAdmin(['users.manage']);
  expect(await mighty.ask('roles.manage', true)).toBe('permission_missing');
});
