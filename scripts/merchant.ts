/** Decides about a merchant on the machine of the service: what administrators do by the API, and letting in again who lost every code. */
import { recordAudit } from '../src/audit/record.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { createEvents } from '../src/events/record.ts';
import { normaliseEmail } from '../src/identity/emails.ts';
import { deleteFactor } from '../src/identity/second-factor-store.ts';
import { endSessions } from '../src/identity/sessions.ts';
import type { Trx } from '../src/lib/db-types.ts';
import type { JsonObject } from '../src/lib/json.ts';
import type { Merchant, MerchantInput } from '../src/merchants/merchant.ts';
import { moveMerchant } from '../src/merchants/moves.ts';
import { findMerchant, lockMerchant } from '../src/merchants/queries.ts';
import { type Connection, Refusal, runOnDatabase } from './connection.ts';

const USAGE = `Usage: npm run merchant -- <decision> <e-mail or id> [reason]
  approve               pending_verification -> active
  reject      reason    pending_verification -> rejected
  freeze      reason    active -> frozen
  unfreeze    reason    frozen -> active
  terminate   [reason]  any -> terminated; all sessions end
  reset-two-factor  reason   turns it off for who has lost the app and the recovery codes; all sessions end`;

const REASON_MAX = 1000;
const RESET = 'reset-two-factor';

await runOnDatabase(async ({ db, config, clock }) => {
  const [decision = '', who = '', ...words] = process.argv.slice(2);
  const reason = words.join(' ').trim();
  if (decision === RESET && who !== '' && reason !== '' && reason.length <= REASON_MAX) {
    return resetTwoFactor({ db, config, clock }, who, reason);
  }
  const input = parseInput(decision, reason);
  if (!input || who === '' || reason.length > REASON_MAX) throw new Refusal(USAGE);
  await decide({ db, config, clock }, who, input, reason);
});

function parseInput(decision: string, reason: string): MerchantInput | undefined {
  switch (decision) {
    case 'approve':
      return { kind: decision };
    case 'reject':
    case 'freeze':
    case 'unfreeze':
      return reason === '' ? undefined : { kind: decision, reason };
    case 'terminate':
      return { kind: decision, reason: reason || null };
    default:
      return undefined;
  }
}

async function decide(
  { db, config, clock }: Connection,
  who: string,
  input: MerchantInput,
  reason: string,
): Promise<void> {
  const found = await find(db, who);
  const now = clock.now();
  // Other processes hear of the change; this one remembers nothing.
  const deps = { events: createEvents({ livemode: config.mode === 'live' }), forgetSessions: () => {} };
  const { merchant, from } = await inTransaction(db, async (trx) => {
    const move = await moveMerchant(trx, deps, found.id, input, now, clock.real());
    const metadata = { previousStatus: move.from, newStatus: move.merchant.status, ...(reason && { reason }) };
    await record(trx, `merchant.${input.kind}`, found.id, metadata, now);
    return move;
  });
  console.log(`${merchant.businessName} (${merchant.id}): ${from} -> ${merchant.status}`);
}

async function find(db: Connection['db'], who: string): Promise<Merchant> {
  const found = await findMerchant(db, who.startsWith('mer_') ? who : normaliseEmail(who));
  if (!found) throw new Refusal(`There is no merchant ${who}.`);
  return found;
}

async function resetTwoFactor({ db, clock }: Connection, who: string, reason: string): Promise<void> {
  const { id, businessName } = await find(db, who);
  await inTransaction(db, async (trx) => {
    await lockMerchant(trx, id);
    if (!(await deleteFactor(trx, id))) throw new Refusal(`${who} has not set up two-factor authentication.`);
    const sessionsEnded = await endSessions(trx, { type: 'merchant', id }, 'two_factor_changed', clock.real());
    await record(trx, 'two_factor.reset', id, { reason, sessionsEnded }, clock.now());
  });
  console.log(`${businessName} (${id}): two-factor authentication is off`);
}

function record(trx: Trx, action: string, merchantId: string, metadata: JsonObject, now: Date): Promise<void> {
  const entry = { actorType: 'system', actorId: '', action, resourceId: merchantId, merchantId, metadata } as const;
  return recordAudit(trx, { ...entry, origin: null }, now);
}
