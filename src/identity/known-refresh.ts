import type { Db } from '../lib/db-types.ts';
import { addressKey } from '../lib/network-address.ts';
import type { OwnUse } from '../ports/operation.ts';
import type { Origin } from '../ports/security.ts';
import { findRefreshing, type PrincipalType } from './sessions.ts';

type Refresh = {
  readonly body: { readonly refreshToken: string };
  readonly origin: Pick<Origin, 'ip'>;
  readonly real: Date;
};

/**
 * Finds what a refresh counts against where others at its address have used up `refresh`: what tokens of its account
 * that work may there, if it brings one. See decision limits/known-devices-have-their-own.
 */
export function knownRefreshes({ db }: { readonly db: Db }, type: PrincipalType) {
  return async ({ body, origin, real }: Refresh): Promise<OwnUse> => {
    const holderId = await findRefreshing(db, type, body.refreshToken, real);
    return holderId === undefined ? null : { limit: 'known_refresh', key: `${holderId} ${addressKey(origin.ip)}` };
  };
}
