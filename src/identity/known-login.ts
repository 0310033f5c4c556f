import type { Db } from '../lib/db-types.ts';
import { addressKey } from '../lib/network-address.ts';
import type { OwnUse } from '../ports/operation.ts';
import type { Origin } from '../ports/security.ts';
import { findKnownDevice } from './devices.ts';
import { normaliseEmail } from './emails.ts';
import type { AccountStore } from './login.ts';

type KnownLoginDeps = { readonly db: Db; readonly accounts: Pick<AccountStore, 'type' | 'findByEmail'> };

type Login = {
  readonly body: { readonly email: string; readonly deviceToken?: string };
  readonly origin: Pick<Origin, 'ip'>;
  readonly real: Date;
};

/**
 * Finds what a login counts against where others at its address have used up `login`: what the known devices of its
 * account may there, if it brings the token of one. Reads nothing without a device token. See
 * decision limits/known-devices-have-their-own.
 */
export function knownLogins({ db, accounts }: KnownLoginDeps) {
  return async ({ body, origin, real }: Login): Promise<OwnUse> => {
    const { email, deviceToken } = body;
    if (deviceToken === undefined) return null;
    const account = await accounts.findByEmail(db, normaliseEmail(email));
    const holder = { type: accounts.type, id: account?.id ?? '' };
    const { token } = await findKnownDevice(db, holder, { ip: origin.ip, deviceToken }, real);
    return token === null ? null : { limit: 'known_login', key: `${holder.id} ${addressKey(origin.ip)}` };
  };
}
