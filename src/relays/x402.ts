import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '../../generated/api.ts';
import { listTransactions, type OperatorTransactionId } from '../chains/operator/queries.ts';
import { SECOND_MS } from '../lib/clock.ts';
import { AppError } from '../lib/errors.ts';
import { dueMicro } from '../payments/present.ts';
import { type PublicViewDeps, readPublicPayment } from '../payments/public.ts';
import { getPayment } from '../payments/queries.ts';
import type { Payment } from '../payments/types.ts';
import type { Token } from '../ports/chain.ts';
import type { AuditTrail } from '../ports/operation.ts';
import { findRelay } from './queries.ts';
import { isOnItsWay, type Relay, type RelayReason } from './relay.ts';
import { type RelayDeps, requireNotRefused, requireStillCollects, submitAuthorization } from './service.ts';
import { type Demand, demandOf, findWay, MARGIN_MS, requirePriced, SIGN_METHODS, type Way } from './terms.ts';
import {
  encodeHeader,
  networkIdOf,
  PERMIT_EXTENSION,
  type Requirement,
  readPayload,
  type Settlement,
  X402_VERSION,
  type X402Payload,
} from './x402-messages.ts';

export type X402Deps = RelayDeps & PublicViewDeps & { readonly publicUrl: string };

export type X402Call = {
  readonly paymentId: string;
  /** What the client has signed, as the header has it. */
  readonly header: string | undefined;
  readonly now: Date;
  readonly audit: Pick<AuditTrail, 'recordOther'>;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
};

type Answer = {
  readonly status: 200 | 202;
  readonly body: components['schemas']['PublicPayment'];
  readonly headers?: Readonly<Record<string, string>>;
};

/** How often, and how long after another, it is looked whether a block has the transfer: 15 seconds in all. */
const LOOKS = 30;
const LOOK_AFTER_MS = SECOND_MS / 2;

/**
 * Answers a client of x402: 200 once the payment has its money or a block has the signed transfer, 202 while that is on
 * its way. Throws PAYMENT_REQUIRED with what is to be signed, NOT_FOUND, and CONFLICT when it can't be paid so.
 */
export async function payByX402(deps: X402Deps, call: X402Call): Promise<Answer> {
  const { paymentId, header, now } = call;
  const payment = await getPayment(deps.db, { id: paymentId });
  const relay = await findRelay(deps.db, paymentId);
  if (relay && isOnItsWay(relay)) return waitFor(deps, payment, call);
  if (payment.paidAt) return answer(deps, 200, paymentId);
  if (dueMicro(payment) <= 0n) return answer(deps, 202, paymentId);
  requireNotRefused(relay);
  const offer: Offer = { payment, demands: await listDemands(deps, payment, now), now };
  if (header === undefined) throw unsigned(deps, offer);
  await take(deps, offer, readPayload(header), call);
  return waitFor(deps, payment, call);
}

/** What a payment takes of signed transfers now; never empty. */
type Offer = { readonly payment: Payment; readonly demands: readonly Demand[]; readonly now: Date };

/** Every option that can be paid by a signed transfer now. Throws what is in the way of the first where none can. */
async function listDemands(deps: X402Deps, payment: Payment, now: Date): Promise<Demand[]> {
  const settings = await deps.settings.current();
  await requireStillCollects(deps.db, payment, settings);
  const demands: Demand[] = [];
  let refusal: unknown;
  for (const option of payment.options) {
    if (deps.reach.isClosed(option.network)) continue;
    const methods = SIGN_METHODS.filter((each) => findWay(deps, option.network, isOf(option), each));
    for (const method of methods.length > 0 ? methods : [undefined]) {
      try {
        const demand = demandOf(deps, payment, { ...option, ...(method && { method }) }, settings, now);
        await requirePriced(deps, demand.way.network, settings);
        demands.push(demand);
      } catch (error) {
        refusal ??= error;
      }
    }
  }
  if (demands.length > 0) return demands.sort((one, other) => effortOf(one) - effortOf(other));
  throw (
    refusal ?? new AppError('SERVICE_UNAVAILABLE', 'The networks of this payment are closed for now. Try again later.')
  );
}

const isOf =
  ({ token }: Payment['options'][number]) =>
  ({ symbol }: Token): boolean =>
    symbol === token;

/** Clients take the first one that they know, so those come first that need nothing but a signature. */
const effortOf = ({ way: { method, token } }: Demand): number => (method === 'erc3009' ? 0 : token.permit ? 1 : 2);

/** Stores what was signed, if it is what the payment asks for. Throws PAYMENT_REQUIRED otherwise. */
async function take(deps: X402Deps, offer: Offer, payload: X402Payload, call: X402Call): Promise<void> {
  const { from, validAfter, validBefore, nonce } = payload.authorization;
  const refuse = (reason: string) => refused(deps, offer, payload, reason);
  const demand = offer.demands.find(
    ({ way }) =>
      networkIdOf(way.network.chainId) === payload.network &&
      way.token.contract === payload.asset &&
      way.method === payload.method,
  );
  if (!demand) throw refuse('invalid_payment_requirements');
  const fault = findFault(demand, payload, call.now);
  if (fault) throw refuse(fault);
  const { network, token, method } = demand.way;
  const own = { validAfter, validBefore, nonce };
  const choice = { network: network.name, token: token.symbol, method, payer: from, own };
  const audit: Pick<AuditTrail, 'record'> = {
    record: (trx, draft = {}) => call.audit.recordOther(trx, 'payment.authorize', draft),
  };
  const { signature, permit } = payload;
  const submission = { paymentId: call.paymentId, ...choice, signature, ...(permit && { permit }) };
  try {
    await submitAuthorization(deps, submission, { now: call.now, audit });
  } catch (error) {
    const isFault = error instanceof AppError && error.code === 'VALIDATION_ERROR';
    throw isFault ? refuse('invalid_exact_evm_payload_signature') : error;
  }
}

/** Why a payload is not what is asked for, in the words of x402; null when it is. The signature is checked later. */
function findFault({ recipient, units }: Demand, { authorization }: X402Payload, now: Date): string | null {
  const { to, value, validAfter, validBefore } = authorization;
  if (to !== recipient) return 'invalid_exact_evm_payload_recipient_mismatch';
  if (value !== units) return 'invalid_exact_evm_payload_authorization_value';
  if (validAfter * SECOND_MS >= now.getTime()) return 'invalid_exact_evm_payload_authorization_valid_after';
  const isShort = validBefore * SECOND_MS - now.getTime() < MARGIN_MS;
  return isShort ? 'invalid_exact_evm_payload_authorization_valid_before' : null;
}

/** Waits until a block has what was signed, it failed, or the caller should look again. */
async function waitFor(deps: X402Deps, payment: Payment, { now, signal }: X402Call): Promise<Answer> {
  for (let look = 0; look < LOOKS && !signal.aborted; look += 1) {
    if (look > 0) await sleep(LOOK_AFTER_MS);
    const relay = await findRelay(deps.db, payment.id);
    if (!relay) break;
    const settlement = await findSettlement(deps, relay);
    if (!settlement) continue;
    const headers = { 'payment-response': encodeHeader(settlement) };
    if (settlement.success) return { ...(await answer(deps, 200, payment.id)), headers };
    const current = await getPayment(deps.db, { id: payment.id });
    if (relay.status === 'reverted') {
      throw new AppError('CONFLICT', 'The chain refused what was signed for this payment. Pay by a transfer.', {
        headers,
      });
    }
    const demands = await listDemands(deps, current, now);
    throw required(deps, { payment: current, demands, now }, sentenceOf(settlement), headers);
  }
  return answer(deps, 202, payment.id);
}

/** What became of a relay; null while nobody knows. */
async function findSettlement({ db, networks, chains }: X402Deps, relay: Relay): Promise<Settlement | null> {
  const chainId = networks.find(({ name }) => name === relay.network)?.chainId ?? null;
  const common = { network: networkIdOf(chainId), payer: chains.presentAddress(relay.payer) };
  if (relay.reason) return { ...common, success: false, errorReason: REASONS[relay.reason], transaction: '' };
  if (!relay.sentBy) return null;
  const [sent] = await listTransactions(db, [relay.sentBy as OperatorTransactionId]);
  if (!sent || sent.succeeded === null) return null;
  if (sent.succeeded) return { ...common, success: true, transaction: sent.hash };
  return { ...common, success: false, errorReason: 'invalid_transaction_state', transaction: sent.hash };
}

const REASONS: Readonly<Record<RelayReason, string>> = {
  balance: 'insufficient_funds',
  spent: 'invalid_transaction_state',
  changed: 'invalid_payment_requirements',
  too_late: 'invalid_exact_evm_payload_authorization_valid_before',
  token: 'unexpected_settle_error',
  allowance: 'permit2_allowance_required',
  wallet: 'invalid_exact_evm_payload_signature',
};

const answer = async (deps: X402Deps, status: 200 | 202, paymentId: string): Promise<Answer> => ({
  status,
  body: await readPublicPayment(deps, paymentId),
});

const sentenceOf = ({ errorReason }: Settlement): string =>
  `What was signed was not taken (${errorReason}). Sign one of the transfers that the header payment-required lists.`;

const unsigned = (deps: X402Deps, offer: Offer): AppError =>
  required(
    deps,
    offer,
    'Sign one of the transfers that the header payment-required lists, and send it in the header payment-signature.',
  );

function refused(deps: X402Deps, offer: Offer, { network, authorization }: X402Payload, errorReason: string): AppError {
  const payer = deps.chains.presentAddress(authorization.from);
  const settlement: Settlement = { success: false, errorReason, transaction: '', network, payer };
  return required(deps, offer, sentenceOf(settlement), { 'payment-response': encodeHeader(settlement) });
}

/** PAYMENT_REQUIRED, with the terms in the header that x402 has for them. */
function required(
  { publicUrl, chains }: X402Deps,
  { payment, demands, now }: Offer,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): AppError {
  const url = `${publicUrl}/v1/public/payments/${payment.id}/x402`;
  const seconds = Math.floor((payment.expiresAt.getTime() - now.getTime()) / SECOND_MS);
  const terms = {
    x402Version: X402_VERSION,
    error: message,
    resource: { url, description: payment.description ?? `Payment ${payment.id}`, mimeType: 'application/json' },
    accepts: demands.map(({ way, recipient, units }) => ({
      scheme: 'exact' as const,
      network: networkIdOf(way.network.chainId),
      asset: chains.presentAddress(way.token.contract),
      amount: String(units),
      payTo: chains.presentAddress(recipient),
      maxTimeoutSeconds: seconds,
      extra: extraOf(way),
    })),
    ...(demands.some(({ way }) => way.method === 'permit2' && way.token.permit) && { extensions: PERMIT_EXTENSION }),
  } as const;
  return new AppError('PAYMENT_REQUIRED', message, {
    headers: { ...headers, 'payment-required': encodeHeader(terms) },
  });
}

const extraOf = ({ method, token }: Way): Requirement['extra'] =>
  method === 'permit2' ? { assetTransferMethod: 'permit2', ...token.permit } : { ...token.authorization };
