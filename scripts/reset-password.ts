/** Gives a merchant a new password: the former one is lost, or a thief knows it. The operator has verified who asks. */
import { listLiveKeys } from '../src/api-keys/queries.ts';
import { recordAudit } from '../src/audit/record.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { createPasswords, generatePassword } from '../src/identity/passwords.ts';
import { hasSecondFactor } from '../src/identity/second-factor-store.ts';
import { endSessions } from '../src/identity/sessions.ts';
import { lockMerchant, savePasswordHash } from '../src/merchants/queries.ts';
import { Refusal, runOnDatabase } from './lib/connection.ts';
import { result, say, showOnce } from './lib/output.ts';
import { findWhom, whomOf } from './lib/whom.ts';

await runOnDatabase(whomOf('reset-password'), async ({ db, clock }, { who, reason }) => {
  const { id, businessName } = await findWhom(db, who);
  const password = generatePassword();
  const passwordHash = await createPasswords().hash(password);
  await inTransaction(db, async (trx) => {
    const { status } = await lockMerchant(trx, id);
    if (status === 'terminated') throw new Refusal(`${who} is closed, and no login opens it any more.`);
    await savePasswordHash(trx, id, passwordHash);
    const sessionsEnded = await endSessions(trx, { type: 'merchant', id }, 'password_changed', clock.real());
    const entry = { actorType: 'system', actorId: '', action: 'merchant.reset_password', resourceId: id } as const;
    const metadata = { reason, sessionsEnded };
    await recordAudit(trx, { ...entry, merchantId: id, origin: null, metadata }, clock.now());
  });
  showOnce(`The password is lost: run npx kasi reset-password ${id} <reason> for another one.`);
  result({ merchant: { id, password } });
  say(`New password for ${businessName} (${id})`);
  say(`Password: ${password}`);
  if (await hasSecondFactor(db, id))
    say('Two-factor authentication is on: a login needs a code (npx kasi reset-two-factor turns it off).');
  const keys = await listLiveKeys(db, id, clock.real());
  say(`${keys.length} API keys go on working. A thief may have made some of them: have the owner look at each.`);
});
