import { sha256 } from '@noble/hashes/sha2.js';
import { fromBase64 } from './base64.ts';
import type { PaymentInstructions } from './models.ts';
import { utf8 } from './utf8.ts';
import { isSignedBy, type KeySource, keysOf } from './webhook-keys.ts';

/** Whose signature to accept, and for which payment. */
export type VerifyInstructionsOptions = KeySource & {
  /** The payment that is about to be paid: instructions for another one are refused. */
  readonly paymentId: string;
  /** How far `issuedAt` may be from now, in seconds (default: 300). */
  readonly toleranceSeconds?: number | undefined;
  /** The time to compare with, for tests. */
  readonly now?: Date | undefined;
};

/** Instructions that a merchant's key has signed, and the code by which people compare them. */
export type VerifiedInstructions = PaymentInstructions & { readonly code: string };

export type InstructionsVerificationReason =
  | 'malformed'
  | 'no_matching_signature'
  | 'other_payment'
  | 'timestamp_out_of_tolerance'
  | 'over';

/** These are not the present instructions of the payment: don't pay by them. */
export class InstructionsVerificationError extends Error {
  override readonly name = 'InstructionsVerificationError';
  readonly reason: InstructionsVerificationReason;

  constructor(reason: InstructionsVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

const TYPE = 'kasi-payment-instructions+jws';
const TOLERANCE_SECONDS = 300;
const JWS_MAX = 8192;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Returns what the merchant's key has signed about how to pay the payment: the `jws` of
 * `public.payments.instructions(id)`, wherever it comes from. Compare address, amount, token and network with what you
 * are about to send. Throws `InstructionsVerificationError` when it is not genuine, of another payment, older than the
 * tolerance or over, `KasiError` when the keys can't be fetched, `TypeError` when a key is invalid.
 */
export async function verifyInstructions(
  jws: string,
  options: VerifyInstructionsOptions,
): Promise<VerifiedInstructions> {
  const { message, payload, signature } = parse(jws);
  const now = options.now ?? new Date();
  const fits = (keys: readonly Uint8Array[]): boolean => keys.some((key) => isSignedBy(key, message, signature));
  if (!fits(await keysOf(options, false, now)) && !fits(await keysOf(options, true, now))) {
    throw failure('no_matching_signature', 'None of the keys has signed these instructions. Do not pay by them.');
  }
  const instructions = parseInstructions(payload);
  requirePresent(instructions, options, now);
  return { ...instructions, code: codeOf(instructions) };
}

type Parsed = { readonly message: Uint8Array; readonly payload: Uint8Array; readonly signature: Uint8Array };

/** The parts of a compact JWS (RFC 7515) of our type. Only Ed25519 is taken, whatever its header asks for. */
function parse(jws: string): Parsed {
  if (typeof jws !== 'string' || jws.length > JWS_MAX) throw malformed('The instructions are not a compact JWS.');
  const found = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/.exec(jws);
  const [header, payload, signature] = (found ?? []).slice(1).map(fromBase64);
  if (!found || !header || !payload || signature?.length !== 64) {
    throw malformed('The instructions are not a compact JWS.');
  }
  const says = parseJson(header);
  if (says['alg'] !== 'EdDSA' || says['typ'] !== TYPE || 'crit' in says) {
    throw malformed(`The header of the instructions must say alg EdDSA and typ ${TYPE}.`);
  }
  return { message: utf8(`${found[1]}.${found[2]}`), payload, signature };
}

function parseInstructions(payload: Uint8Array): PaymentInstructions {
  const instructions = parseJson(payload) as PaymentInstructions;
  if (instructions.version !== 1) throw malformed('The instructions have a version that this client does not know.');
  return instructions;
}

function requirePresent(instructions: PaymentInstructions, options: VerifyInstructionsOptions, now: Date): void {
  const { paymentId, merchantId, issuedAt, holdsUntil } = instructions;
  const isOther = 'merchantId' in options && merchantId !== options.merchantId;
  if (isOther || paymentId !== options.paymentId) {
    throw failure('other_payment', 'These are the instructions of another payment. Do not pay by them.');
  }
  const skewSeconds = Math.abs(now.getTime() - Date.parse(issuedAt)) / 1000;
  // Written so that a date that can't be read is refused, too.
  if (!(skewSeconds <= (options.toleranceSeconds ?? TOLERANCE_SECONDS))) {
    throw failure(
      'timestamp_out_of_tolerance',
      `The instructions were signed ${Math.round(skewSeconds)} seconds from now. Fetch them again: they may have changed.`,
    );
  }
  if (!(now.getTime() < Date.parse(holdsUntil))) {
    throw failure('over', 'What these instructions ask for holds no longer. Fetch them again.');
  }
}

/** The code that people compare, from what must not be swapped. */
function codeOf(instructions: PaymentInstructions): string {
  const { paymentId, merchantId, network, chainId, token, contract, address, amount, expiresAt } = instructions;
  const asset = [network, chainId ?? '', token, contract ?? ''];
  const lines = ['kasi-payment-instructions-1', paymentId, merchantId, ...asset, address, amount, expiresAt];
  const bits = [...sha256(utf8(lines.join('\n'))).slice(0, 10)].map((byte) => byte.toString(2).padStart(8, '0'));
  const letters = (bits.join('').match(/.{5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five, 2)]);
  return (letters.join('').match(/.{4}/g) ?? []).join('-');
}

function parseJson(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // It is told below.
  }
  throw malformed('The instructions are not JSON.');
}

const failure = (reason: InstructionsVerificationReason, message: string): InstructionsVerificationError =>
  new InstructionsVerificationError(reason, message);

const malformed = (message: string): InstructionsVerificationError => failure('malformed', message);
