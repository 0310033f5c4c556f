import type { components } from '../../../generated/api.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import type { Db } from '../../lib/db-types.ts';
import { contentToSign, isSignedBy } from '../../lib/standard-webhooks.ts';
import { type Difference, firstDifference, guessCause, isSameJson, rewrite } from './difference.ts';
import { parseHeaders, type SignatureHeaders } from './headers.ts';

type Verification = components['schemas']['WebhookVerification'];
type Check = components['schemas']['WebhookVerificationCheck'];

/** The clock skew that a verifier allows, either way. */
const TOLERANCE_SECONDS = 300;
/** How many keys are tried, newest first, including those that have ended. Older ones explain nothing. */
export const KEYS_TRIED = 10;

export type ReceivedWebhook = {
  readonly merchantId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Wall time by the receiver's clock. */
  readonly receivedAt: Date;
  /** Wall time, which decides which keys still sign. */
  readonly real: Date;
};

type Key = { readonly id: string; readonly publicKey: Buffer; readonly retiresAt: Date | null };
type Finding = { readonly reason: string | null; readonly message: string; readonly difference?: Difference };

/**
 * Makes the checks of a verifier and says which of them failed, and why. Uses only the merchant's own keys and events,
 * so it reveals nothing about other merchants: their events look the same as events that don't exist. Read-only.
 * See decision webhooks/explained-by-the-merchants-own-keys.
 */
export async function explainWebhook(db: Db, received: ReceivedWebhook): Promise<Verification> {
  const parsed = parseHeaders(received.headers);
  if ('fault' in parsed) {
    return conclude([
      ['headers', parsed.fault],
      ['signature', null],
      ['clock', null],
    ]);
  }
  const [keys, sent] = await Promise.all([
    listKeysEver(db, received.merchantId),
    findBody(db, received.merchantId, parsed.signed.eventId),
  ]);
  return conclude([
    ['headers', { reason: null, message: 'All three headers are there and can be read.' }],
    ['signature', judgeSignature(parsed.signed, received, keys, sent)],
    ['clock', judgeClock(parsed.signed, received.receivedAt)],
  ]);
}

/** The first fault is the reason; checks that could not be made are skipped. */
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

/** The signature decides whether the webhook is ours; a comparison with what we sent explains why it doesn't match. */
function judgeSignature(
  signed: SignatureHeaders,
  { body, real }: ReceivedWebhook,
  keys: readonly Key[],
  sent: Buffer | undefined,
): Finding {
  const bytes = Buffer.from(body, 'utf8');
  const signer = signerOf(signed, bytes, keys, real);
  if (signer) return judgeKey(signer, signed, real);
  if (!sent) {
    // Events of certifications are not stored. A body that was only reserialized can be restored without them.
    const original = rewrite(body);
    const difference = original && firstDifference(original, bytes);
    const isOurs = difference !== undefined && signerOf(signed, original ?? bytes, keys, real) !== undefined;
    return isOurs ? changedBody(String(original), body, difference) : unknownEvent(signed);
  }
  const difference = firstDifference(sent, bytes);
  if (!difference) {
    const message =
      'The body is exactly what we sent, but none of your keys signed it with these headers. Take webhook-id, ' +
      'webhook-timestamp and webhook-signature of one and the same request.';
    return { reason: 'wrong_key', message };
  }
  if (!signerOf(signed, sent, keys, real)) {
    const message =
      'None of your keys signed this: neither the body that you received nor the one that we sent fits. Take headers ' +
      'and body of one and the same request; if they are, somebody else made it.';
    return { reason: 'wrong_key', message, difference };
  }
  return changedBody(sent.toString('utf8'), body, difference);
}

/** The key that made one of the signatures; keys that still sign come before ended ones. */
function signerOf(
  { eventId, timestamp, signatures }: SignatureHeaders,
  body: Buffer,
  keys: readonly Key[],
  real: Date,
) {
  const content = contentToSign(eventId, timestamp, body);
  const fits = ({ publicKey }: Key): boolean => signatures.some((each) => isSignedBy(publicKey, content, each));
  return keys.find((key) => !hasEnded(key, real) && fits(key)) ?? keys.find((key) => hasEnded(key, real) && fits(key));
}

const hasEnded = ({ retiresAt }: Key, real: Date): boolean => retiresAt !== null && retiresAt <= real;

function judgeKey(key: Key, { timestamp }: SignatureHeaders, real: Date): Finding {
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

const unknownEvent = ({ eventId }: SignatureHeaders): Finding => ({
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

function judgeClock({ timestamp }: SignatureHeaders, receivedAt: Date): Finding {
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

/** The merchant's keys, newest first, including those that have ended. */
async function listKeysEver(db: Db, merchantId: string): Promise<Key[]> {
  return db
    .selectFrom('webhook_keys')
    .select(['id', 'public_key as publicKey', 'retires_at as retiresAt'])
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(KEYS_TRIED)
    .execute();
}

/** The exact bytes of one of the merchant's events. */
async function findBody(db: Db, merchantId: string, eventId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('events')
    .select('body')
    .where('id', '=', eventId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row && row.body.length > 0 ? row.body : undefined;
}
