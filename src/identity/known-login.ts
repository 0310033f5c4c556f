import { createConcurrencyLimit } from '../lib/concurrency-limit.ts';
import type { Db } from '../lib/db-types.ts';
import type { Origin } from '../ports/security.ts';
import { findKnownDevice } from './devices.ts';
import { normaliseEmail } from './emails.ts';
import type { AccountStore } from './login.ts';

/** Whoever has used up what an address may try can ask for no more look-ups at once, or they would cost the rest. */
const AT_ONCE = 2;
const QUEUE_MAX = 64;

type KnownLoginDeps = { readonly db: Db; readonly accounts: Pick<AccountStore, 'type' | 'findByEmail'> };

type Login = {
  readonly body: { readonly email: string; readonly deviceToken?: string };
  readonly origin: Pick<Origin, 'ip'>;
  readonly real: Date;
};

/**
 * Finds what a login counts against where others at its address have used up `login`: what its device may, if the
 * account knows it. Reads nothing without a device token. See decision limits/known-devices-have-their-own.
 */
export function knownLogins({ db, accounts }: KnownLoginDeps) {
  const limited = createConcurrencyLimit(AT_ONCE, QUEUE_MAX);
  return async ({
    body,
    origin,
    real,
  }: Login): Promise<{ readonly limit: 'known_login'; readonly key: string } | null> => {
    const { email, deviceToken } = body;
    if (deviceToken === undefined) return null;
    const token = await limited(async () => {
      const account = await accounts.findByEmail(db, normaliseEmail(email));
      const holder = { type: accounts.type, id: account?.id ?? '' };
      return (await findKnownDevice(db, holder, { ip: origin.ip, deviceToken }, real)).token;
    });
    return token === null ? null : { limit: 'known_login', key: token };
  };
}
