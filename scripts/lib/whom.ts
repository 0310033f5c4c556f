import { normaliseEmail } from '../../src/identity/emails.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { findMerchant } from '../../src/merchants/queries.ts';
import { Refusal, usage } from './connection.ts';

const REASON_MAX = 1000;

/** Whom a command lets in again, by e-mail address or id, and why, for the audit log. */
type Whom = { readonly who: string; readonly reason: string };

/** Reads the arguments of a command that lets a merchant in again. Throws Refusal for any other arguments. */
export const whomOf =
  (command: string) =>
  ([who = '', ...words]: readonly string[]): Whom => {
    const reason = words.join(' ').trim();
    if (who === '' || reason === '' || reason.length > REASON_MAX) throw usage(command);
    return { who, reason };
  };

/** Throws Refusal for an unknown merchant. */
export async function findWhom(db: Db, who: string): Promise<{ readonly id: string; readonly businessName: string }> {
  const merchant = await findMerchant(db, who.startsWith('mer_') ? who : normaliseEmail(who));
  if (!merchant) throw new Refusal(`There is no merchant ${who}.`);
  return merchant;
}
