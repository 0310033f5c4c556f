import type { components } from '../../../generated/api.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';
import { contentToSign, isSignedBy } from '../../lib/standard-webhooks.ts';
import { type Claim, readClaim } from './claim.ts';
import { type Difference, firstDifference, guessCause, isSameJson, rewrite } from './difference.ts';

type Verification = components['schemas']['WebhookVerification'];
type Check = components['schemas']['WebhookVerificationCheck'];

/** What a verifier allows, both ways. */
const TOLERANCE_SECONDS = 300;
/** Keys that have ended are looked at too, the newest first, but not without end. */
const KEYS_MAX = 10;

export type ReceivedWebhook = {
  readonly merchantId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Wall time by the receiver's clock. */
  readonly receivedAt: Date;
  /** Wall time: which keys still sign. */
  readonly real: Date;
};

type Key = { readonly id: string; readonly publicKey: Buffer; readonly retiresAt: Date | null };
type Finding = { readonly reason: string | null; readonly message: string; readonly difference?: Difference };

/**
 * Makes the checks of a verifier and says which of them failed and why. Only the merchant's own keys and events are looked at, so that
 * nothing of others can be learned: their events are as unknown as those that never were. It reads and changes nothing.
 */
export async function explainWebhook(db: Db, received: ReceivedWebhook): Promise<Verification> {
  const read = readClaim(received.headers);
  if ('fault' in read) {
    return conclude([
      ['headers', read.fault],
      ['signature', null],
      ['clock', null],
    ]);
  }
  const [keys, sent] = await Promise.all([
    listKeysEver(db, received.merchantId),
    findBody(db, received.merchantId, read.claim.eventId),
  ]);
  return conclude([
    ['headers', { reason: null, message: 'All three headers are there and can be read.' }],
    ['signature', judgeSignature(read.claim, received, keys, sent)],
    ['clock', judgeClock(read.claim, received.receivedAt)],
  ]);
}

/** The first fault is the reason; what was not looked at is skipped. */
function conclude(findings: readonly (readonly [name: string, finding: Finding | null])[]): Verification {
  const first = findings.find(([, finding]) => finding?.reason)?.[1];
  return {
    valid: first === undefined,
    reason: first?.reason ?? null,
    message: first?.message ?? 'It verifies: a handler that refuses it has another fault.',
    checks: findings.map(([name, finding]) => presentCheck(name, finding)),
    difference: first?.difference ?? null,
  };
}

function presentCheck(name: string, finding: Finding | null): Check {
  if (!finding) return { name, status: 'skipped', message: 'Without the headers this can not be checked.' };
  return { name, status: finding.reason === null ? 'passed' : 'failed', message: finding.message };
}

/** The signature decides whether it is ours; what we sent tells why it does not fit. */
function judgeSignature(
  claim: Claim,
  { body, real }: ReceivedWebhook,
  keys: readonly Key[],
  sent: Buffer | undefined,
): Finding {
  const bytes = Buffer.from(body, 'utf8');
  const signer = signerOf(claim, bytes, keys, real);
  if (signer) return judgeKey(signer, claim, real);
  if (!sent) {
    // Tests and certifications send what is not kept; what was only written anew can be written back.
    const original = rewrite(body);
    const difference = original && firstDifference(original, bytes);
    const isOurs = difference !== undefined && signerOf(claim, original ?? bytes, keys, real) !== undefined;
    return isOurs ? changedBody(String(original), body, difference) : unknownEvent(claim);
  }
  const difference = firstDifference(sent, bytes);
  if (!difference) {
    const message =
      'The body is exactly what we sent, but none of your keys signed it with these headers. Take webhook-id, ' +
      'webhook-timestamp and webhook-signature of one and the same request.';
    return { reason: 'wrong_key', message };
  }
  if (!signerOf(claim, sent, keys, real)) {
    const message =
      'None of your keys signed this: neither the body that you received nor the one that we sent fits. Take headers ' +
      'and body of one and the same request; if they are, somebody else made it.';
    return { reason: 'wrong_key', message, difference };
  }
  return changedBody(sent.toString('utf8'), body, difference);
}

/** The key that made one of the signatures; one that still signs before one that has ended. */
function signerOf({ eventId, timestamp, signatures }: Claim, body: Buffer, keys: readonly Key[], real: Date) {
  const content = contentToSign(eventId, timestamp, body);
  const fits = ({ publicKey }: Key): boolean => signatures.some((each) => isSignedBy(publicKey, content, each));
  return keys.find((key) => !hasEnded(key, real) && fits(key)) ?? keys.find((key) => hasEnded(key, real) && fits(key));
}

const hasEnded = ({ retiresAt }: Key, real: Date): boolean => retiresAt !== null && retiresAt <= real;

function judgeKey(key: Key, { timestamp }: Claim, real: Date): Finding {
  if (!hasEnded(key, real)) return { reason: null, message: `Signed with your key ${key.id}.` };
  const ended = key.retiresAt as Date;
  const then =
    Number(timestamp) * SECOND_MS < ended.getTime()
      ? 'It signed when this was sent'
      : 'It had ended when this was sent';
  const message =
    `Signed with your key ${key.id}, which stopped signing at ${ended.toISOString()}. ${then}, ` +
    'but a verifier that knows only the keys of today refuses it. What is sent from now on is signed with them.';
  return { reason: 'key_ended', message };
}

const unknownEvent = ({ eventId }: Claim): Finding => ({
  reason: 'event_unknown',
  message:
    `None of your keys signed this, and you have no event ${eventId}. Either it was sent to another merchant, or by ` +
    'somebody else. See that the webhook URL, the keys and the account that asks here are of the same merchant.',
});

function changedBody(sent: string, received: string, difference: Difference): Finding {
  const place = `byte ${difference.offset}`;
  if (isSameJson(sent, received)) {
    const message =
      `The body says the same as the one that we sent, but its bytes differ from ${place} on: ${guessCause(sent, received)}. ` +
      'Verify the bytes as they arrive, before anything parses them.';
    return { reason: 'body_reserialized', message, difference };
  }
  const cut = sent.startsWith(received) ? ' It ends too early.' : '';
  const message = `The body is not the one that we sent: it differs from ${place} on.${cut} Pass the whole body as it arrives.`;
  return { reason: 'body_changed', message, difference };
}

function judgeClock({ timestamp }: Claim, receivedAt: Date): Finding {
  const seconds = Math.round(receivedAt.getTime() / SECOND_MS - Number(timestamp));
  const far = Math.abs(seconds);
  const words = `${far} second${far === 1 ? '' : 's'} ${seconds < 0 ? 'before' : 'after'} it was signed`;
  if (far <= TOLERANCE_SECONDS) return { reason: null, message: `Received ${words}.` };
  const cure =
    seconds < 0
      ? 'The clock of your server is slow: let it be set over the network (NTP).'
      : 'If you kept this request for a while, say in receivedAt when it came. If it came just now, the clock of your ' +
        'server is fast, or somebody sent you an old request again.';
  return { reason: 'clock', message: `Received ${words}; at most ${TOLERANCE_SECONDS} are allowed. ${cure}` };
}

/** The merchant's keys, those that have ended too, newest first. */
async function listKeysEver(db: Db, merchantId: string): Promise<Key[]> {
  return db
    .selectFrom('webhook_keys')
    .select(['id', 'public_key as publicKey', 'retires_at as retiresAt'])
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(KEYS_MAX)
    .execute();
}

/** The bytes that an event of this merchant is sent as. */
async function findBody(db: Db, merchantId: string, eventId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('events')
    .select('body')
    .where('id', '=', eventId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row?.body;
}
