/** Lets a merchant who has lost the app and all recovery codes log in again. The operator has verified who asks. */
import { recordAudit } from '../src/audit/record.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { deleteFactor } from '../src/identity/second-factor-store.ts';
import { endSessions } from '../src/identity/sessions.ts';
import { lockMerchant } from '../src/merchants/queries.ts';
import { Refusal, runOnDatabase } from './lib/connection.ts';
import { say } from './lib/output.ts';
import { findWhom, whomOf } from './lib/whom.ts';

await runOnDatabase(whomOf('reset-two-factor'), async ({ db, clock }, { who, reason }) => {
  const { id, businessName } = await findWhom(db, who);
  await inTransaction(db, async (trx) => {
    await lockMerchant(trx, id);
    if (!(await deleteFactor(trx, id, clock.real())))
      throw new Refusal(`${who} has not set up two-factor authentication.`);
    const sessionsEnded = await endSessions(trx, { type: 'merchant', id }, 'two_factor_changed', clock.real());
    const entry = { actorType: 'system', actorId: '', action: 'two_factor.reset', resourceId: id } as const;
    const metadata = { reason, sessionsEnded };
    await recordAudit(trx, { ...entry, merchantId: id, origin: null, metadata }, clock.now());
  });
  say(`${businessName} (${id}): two-factor authentication is off`);
});
