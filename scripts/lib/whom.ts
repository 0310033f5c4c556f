import { normaliseEmail } from '../../src/identity/emails.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { findMerchant } from '../../src/merchants/queries.ts';
import { Refusal, usage } from './connection.ts';

const REASON_MAX = 1000;

/**
 * Reads the arguments of a command that lets a merchant in again: the merchant's e-mail address or id, and a reason for
 * the audit log. Throws Refusal for any other arguments and for an unknown merchant.
 */
export async function readWhom(db: Db, command: string) {
  const [who = '', ...words] = process.argv.slice(2);
  const reason = words.join(' ').trim();
  if (who === '' || reason === '' || reason.length > REASON_MAX) throw usage(command);
  const merchant = await findMerchant(db, who.startsWith('mer_') ? who : normaliseEmail(who));
  if (!merchant) throw new Refusal(`There is no merchant ${who}.`);
  return { who, reason, id: merchant.id, businessName: merchant.businessName };
}
