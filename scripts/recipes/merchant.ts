import { randomBytes } from 'node:crypto';
import { createAdminClient } from '../../clients/typescript/src/admin.ts';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';

/** The administrator of the service that shops are tried on. */
export type Login = { readonly email: string; readonly password: string };

export const newAdministrator = (): Login => ({
  email: 'admin@kasi.example',
  password: `Str0ng-${randomBytes(12).toString('hex')}`,
});

/** Everybody but the shop who takes part in its story. */
export type Cast = {
  readonly login: Login;
  readonly merchant: Client;
  readonly payer: Client;
  readonly admin: ReturnType<typeof createAdminClient>;
};

/** A merchant of its own for a shop, verified like the demo merchant: the endpoint of a merchant's webhooks is one. */
export async function castFor(name: string, baseUrl: string, administrator: Login): Promise<Cast> {
  const login = { email: `${name}@shop.example`, password: 'Str0ng-enough' };
  const merchant = createClient({ baseUrl, ...login });
  const { merchant: made } = await merchant.auth.register({
    ...login,
    ...{ businessName: `Tea of ${name}`, phone: '+94771234567', businessType: 'company' },
  });
  const admin = createAdminClient({ baseUrl, ...administrator });
  await admin.merchants.approve(made.id);
  return { login, merchant, payer: createClient({ baseUrl }), admin };
}
