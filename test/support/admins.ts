import { type AdminClient, createAdminClient } from '../../clients/typescript/src/admin.ts';
import { createPasswords } from '../../src/identity/passwords.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Permission } from '../../src/ports/security.ts';
import { CHEAP_PASSWORDS, PASSWORD, type TestService } from '../harness.ts';

export type TestAdmin = {
  readonly id: string;
  readonly client: AdminClient;
  readonly email: string;
  readonly token: string;
  readonly refreshToken: string;
  readonly roleId: string;
};

type Started = Pick<TestService, 'db' | 'url' | 'fetch'> & { readonly clock: Pick<TestService['clock'], 'now'> };

let made = 0;
let hashed: Promise<string> | undefined;

/** A logged-in administrator whose role has exactly these permissions; by default the super role. */
export async function createTestAdmin(service: Started, permissions?: readonly Permission[]): Promise<TestAdmin> {
  made += 1;
  const number = made;
  const { db, clock, url, fetch } = service;
  const roleId = permissions ? await insertTestRole(service, permissions, `role_${number}`) : await superRole(service);
  const email = `admin${number}@kasi.example`;
  hashed ??= createPasswords(CHEAP_PASSWORDS).hash(PASSWORD);
  const times = { created_at: clock.now(), updated_at: clock.now() };
  const id = newId('admin', clock.now());
  await db
    .insertInto('admins')
    .values({
      id,
      email,
      name: `Admin ${number}`,
      password_hash: await hashed,
      role_id: roleId,
      status: 'active',
      ...times,
    })
    .execute();
  const client = createAdminClient({ baseUrl: url, fetch, maxRetries: 0 });
  const { token, refreshToken } = await client.auth.login({ email, password: PASSWORD });
  return { id, client, email, token, refreshToken, roleId };
}

async function superRole({ db }: Started): Promise<string> {
  const { id } = await db.selectFrom('roles').select('id').where('is_super', '=', true).executeTakeFirstOrThrow();
  return id;
}

/** A role with these permissions that no administrator has yet. */
export async function insertTestRole(
  { db, clock }: Pick<Started, 'db' | 'clock'>,
  permissions: readonly Permission[],
  name: string,
): Promise<string> {
  const id = newId('role', clock.now());
  const times = { created_at: clock.now(), updated_at: clock.now() };
  const row = { id, name, description: 'Of a test.', permissions: [...permissions], ...times };
  await db.insertInto('roles').values(row).execute();
  return id;
}
