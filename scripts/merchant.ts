/** Decides about a merchant until there is an API for administrators: approve, reject, freeze, unfreeze, terminate. */
import { recordAudit } from '../src/audit/record.ts';
import { inTransaction } from '../src/db/transaction.ts';
import { createEvents } from '../src/events/record.ts';
import { normaliseEmail } from '../src/identity/emails.ts';
import type { MerchantInput } from '../src/merchants/merchant.ts';
import { moveMerchant } from '../src/merchants/moves.ts';
import { findMerchant } from '../src/merchants/queries.ts';
import { type Connection, Refusal, runOnDatabase } from './connection.ts';

const USAGE = `Usage: npm run merchant -- <decision> <e-mail or id> [reason]
  approve               pending_verification -> active
  reject      reason    pending_verification -> rejected
  freeze      reason    active -> frozen
  unfreeze    reason    frozen -> active
  terminate   [reason]  any -> terminated; all sessions end`;

const REASON_MAX = 1000;

await runOnDatabase(async ({ db, config, clock }) => {
  const [decision = '', who = '', ...words] = process.argv.slice(2);
  const reason = words.join(' ').trim();
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
  const found = await findMerchant(db, who.startsWith('mer_') ? who : normaliseEmail(who));
  if (!found) throw new Refusal(`There is no merchant ${who}.`);
  const now = clock.now();
  // Other processes hear of the change; this one remembers nothing.
  const deps = { events: createEvents({ livemode: config.mode === 'live' }), forgetSessions: () => {} };
  const { merchant, from } = await inTransaction(db, async (trx) => {
    const move = await moveMerchant(trx, deps, found.id, input, now, clock.real());
    await recordAudit(
      trx,
      {
        actorType: 'system',
        actorId: '',
        action: `merchant.${input.kind}`,
        resourceId: found.id,
        merchantId: found.id,
        origin: null,
        metadata: { previousStatus: move.from, newStatus: move.merchant.status, ...(reason && { reason }) },
      },
      now,
    );
    return move;
  });
  console.log(`${merchant.businessName} (${merchant.id}): ${from} -> ${merchant.status}`);
}
