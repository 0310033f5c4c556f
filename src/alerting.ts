import { findAdminLocked, listHoldersOf } from './admins/user-queries.ts';
import { lockIfCodesLocked } from './identity/code-throttle.ts';
import { hasSecondFactor } from './identity/second-factor-store.ts';
import type { IncidentDeps } from './incidents/admin-handlers.ts';
import type { AlertOutcome, ClaimedAlert } from './incidents/alert-queries.ts';
import type { IncidentJobDeps } from './incidents/jobs.ts';
import type { IncidentMailDeps } from './incidents/mails.ts';
import { after, DAY_MS, SECOND_MS } from './lib/clock.ts';
import type { Trx } from './lib/db-types.ts';
import { encodePublicKey, signatureHeaders, signingKey } from './lib/standard-webhooks.ts';
import { isPlainAddress } from './mail/addresses.ts';
import { storeLetters } from './mail/queries.ts';
import { findMerchant } from './merchants/queries.ts';
import { unparkCredits } from './payments/credits.ts';
import type { Platform } from './platform.ts';
import { lockIfChangeWaits } from './settings/change-queries.ts';
import { retryCharge, unparkSubscription } from './subscriptions/settling/parked.ts';
import { decideOutcome } from './webhooks/delivery.ts';

const TIMEOUT_MS = 15 * SECOND_MS;

/** What tries again, by kind of incident. */
const incidentRetries = (): IncidentDeps['retries'] => ({
  'payment.parked': unparkCredits,
  'subscription.parked': unparkSubscription,
  'subscription.unexplained': retryCharge,
});

/** What looks whether it is still so, by kind of incident. */
const lastingIncidents = (): IncidentDeps['stillHolds'] => ({
  'identity.codes_locked': areCodesMissed,
  'settings.change_pending': lockIfChangeWaits,
});

/**
 * Whether locked codes of the app keep an account's owner out: neither a deactivated administrator, nor a terminated
 * merchant, nor the owner of an account without a second factor. The lock itself stays. The account is locked first,
 * as by a login.
 */
async function areCodesMissed(trx: Trx, holderId: string): Promise<boolean> {
  if ((await findAdminLocked(trx, holderId))?.status === 'deactivated') return false;
  if ((await findMerchant(trx, holderId))?.status === 'terminated') return false;
  return (await lockIfCodesLocked(trx, holderId)) && (await hasSecondFactor(trx, holderId));
}

/** Where alerts go, and the key that verifies them; the path of the URL may be a secret. */
const alertChannel = (platform: Platform): IncidentDeps['alerts'] => ({
  destination: platform.config.alertWebhookUrl && new URL(platform.config.alertWebhookUrl).origin,
  publicKey: encodePublicKey(keyOf(platform).publicKey),
});

/** What the operations on incidents need. */
export const incidentDeps = (platform: Platform): IncidentDeps => ({
  db: platform.db,
  networks: platform.networks.map(({ name }) => name),
  retries: incidentRetries(),
  stillHolds: lastingIncidents(),
  alerts: alertChannel(platform),
});

/**
 * Posts an alert like a webhook, on the schedule of webhooks and then once a day until it arrives. See
 * decision incidents/alerts-are-never-given-up.
 */
export function alertPost(platform: Platform): IncidentJobDeps['post'] {
  const { config, outbound } = platform;
  const url = config.alertWebhookUrl;
  if (url === null) return null;
  const key = keyOf(platform);
  return async ({ id, body, attempt }: ClaimedAlert, { now, real }): Promise<AlertOutcome> => {
    const bytes = Buffer.from(body, 'utf8');
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Kasi-Alerts/1',
      ...signatureHeaders([key], id, Math.floor(real.getTime() / SECOND_MS), bytes),
    };
    const result = await outbound.send({ method: 'POST', url, headers, body: bytes, timeoutMs: TIMEOUT_MS });
    const { status, failure, statusCode, nextAttemptAt } = decideOutcome(result, attempt, {
      now,
      real,
      random: Math.random(),
    });
    if (status === 'success') return { failure: null, nextAttemptAt: null };
    const said = failure === 'status' ? `it answered ${statusCode}` : (failure ?? 'unknown');
    return { failure: said, nextAttemptAt: nextAttemptAt ?? after(now, DAY_MS) };
  };
}

/** Who gets mails about incidents, and how these are stored. */
export const incidentMailDeps = ({ db, config }: Platform): IncidentMailDeps => ({
  db,
  sender: { place: config.deploymentId ?? config.mode, publicUrl: config.publicUrl },
  recipients: (trx) => listHoldersOf(trx, 'incidents.view'),
  store: (trx, kind, effect, to, letter, now) =>
    storeLetters(
      trx,
      kind,
      to
        .filter(({ email }) => isPlainAddress(email))
        .map(({ id, email: recipient }) => ({
          effect: `${effect}:${id}`,
          letter: { ...letter, recipient, replyTo: null, language: 'en' },
        })),
      now,
    ),
});

const keyOf = ({ secretFor }: Platform) => signingKey(secretFor('alerts'));
