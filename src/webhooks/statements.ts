import type { Db } from '../lib/db-types.ts';
import { AppError } from '../lib/errors.ts';
import { type SignedStatement, signStatement } from '../lib/jws.ts';
import { listKeys, type SigningKeys } from './keys.ts';

export type StatementDeps = { readonly db: Db; readonly keys: SigningKeys };
export type Statement = { readonly merchantId: string; readonly typ: string; readonly content: object };

/**
 * Signs statements of merchants by their active key; what another folder signs by a merchant's key goes through here.
 * It throws SERVICE_UNAVAILABLE while the key can't be opened. See decision webhooks/statements-are-no-webhooks.
 */
export const createStatementSigner =
  ({ db, keys }: StatementDeps) =>
  async ({ merchantId, typ, content }: Statement, real: Date): Promise<SignedStatement> => {
    const active = (await listKeys(db, merchantId, real)).find(({ retiresAt }) => retiresAt === null);
    const key = active && (await keys([active.id])).get(active.id);
    if (!key) throw new AppError('SERVICE_UNAVAILABLE', 'Nothing can be signed for this merchant at present.');
    return signStatement(key, typ, content);
  };
