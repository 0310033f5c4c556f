import { createHash } from 'node:crypto';
import type { components } from '../../generated/api.ts';
import { conflict } from '../lib/errors.ts';
import { crockford } from '../lib/ids.ts';
import type { SignedStatement } from '../lib/jws.ts';
import { type Closures, requireOpen, requirePaymentUri } from './options.ts';
import { isOpen } from './payment.ts';
import { dueMicro } from './present.ts';
import { type PublicViewDeps, presentPublic } from './public.ts';
import { getPayment } from './queries.ts';
import type { Payment } from './types.ts';

type Schemas = components['schemas'];
type PaymentInstructions = Schemas['PaymentInstructions'];

export type InstructionDeps = PublicViewDeps & {
  readonly reach: Closures;
  readonly checkoutUrl: string;
  readonly publicUrl: string;
  /** Signs by the active key of a merchant. */
  readonly signStatement: (
    statement: { readonly merchantId: string; readonly typ: string; readonly content: object },
    real: Date,
  ) => Promise<SignedStatement>;
};

/** What sets these signatures apart from all others by the same key. */
export const INSTRUCTIONS_TYPE = 'kasi-payment-instructions+jws';
const CODE_MARK = 'kasi-payment-instructions-1';
const CODE_BYTES = 10;

type Moment = { readonly now: Date; readonly real: Date };

/**
 * How a payment is to be paid now, signed. It says what the payer's view says. Throws NOT_FOUND, CONFLICT for a payment
 * that must not be paid, RATE_UNAVAILABLE without a price, SERVICE_UNAVAILABLE while the network is closed.
 */
export async function readInstructions(
  deps: InstructionDeps,
  id: string,
  { now, real }: Moment,
): Promise<Schemas['SignedInstructions']> {
  const payment = await getPayment(deps.db, { id });
  requireDue(payment, now);
  const view = await presentPublic(deps, deps.db, payment);
  requireOpen(view.network, deps.reach);
  requirePaymentUri(view);
  const { merchantId } = payment;
  const instructions = instructionsOf(merchantId, view, now);
  const signed = await deps.signStatement({ merchantId, typ: INSTRUCTIONS_TYPE, content: instructions }, real);
  return {
    ...signed,
    keysUrl: `${deps.publicUrl}/v1/public/merchants/${merchantId}/webhook-keys`,
    code: codeOf(instructions),
    verifyUrl: `${deps.checkoutUrl}/verify/${payment.id}`,
    instructions,
  };
}

function requireDue(payment: Payment, now: Date): void {
  if (!isOpen(payment) || dueMicro(payment) <= 0n)
    throw conflict('This payment asks for nothing any more, so there are no instructions to sign.');
  if (now >= payment.expiresAt) throw conflict('The time of this payment is up, so there are no instructions to sign.');
}

function instructionsOf(merchantId: string, view: Schemas['PublicPayment'], now: Date): PaymentInstructions {
  const { token, network, expiresAt } = view;
  const option = view.options.find((each) => each.token === token && each.network === network);
  if (!option) throw new Error(`payment ${view.id} asks for ${token} on ${network}, which is no option of it`);
  const holdsUntil = option.quote && option.quote.expiresAt < expiresAt ? option.quote.expiresAt : expiresAt;
  return {
    version: 1,
    paymentId: view.id,
    ...{ merchantId, merchantName: view.merchantName, network },
    chainId: option.chainId,
    ...{ token, contract: option.contract, decimals: option.decimals },
    address: view.cryptoAddress,
    amount: view.tokenAmountDue,
    ...{ holdsUntil, expiresAt, issuedAt: now.toISOString(), livemode: view.livemode },
  };
}

/**
 * The code by which people compare instructions: the first 80 bits of SHA-256 over what must not be swapped, one value
 * a line. Another address with a given code is found after 2^80 tries. Pure.
 */
export function codeOf(instructions: Omit<PaymentInstructions, 'issuedAt'>): string {
  const { paymentId, merchantId, network, chainId, token, contract, address, amount, expiresAt } = instructions;
  const asset = [network, chainId ?? '', token, contract ?? ''];
  const lines = [CODE_MARK, paymentId, merchantId, ...asset, address, amount, expiresAt];
  const hash = createHash('sha256').update(lines.join('\n')).digest();
  return groupsOfFour(crockford(hash.subarray(0, CODE_BYTES)).toUpperCase());
}

const groupsOfFour = (text: string): string => (text.match(/.{1,4}/g) ?? []).join('-');
