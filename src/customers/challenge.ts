import { MINUTE_MS } from '../lib/clock.ts';
import { conflict, invalidField } from '../lib/errors.ts';
import { inOneLine } from '../lib/shown-text.ts';

/** What a signed text is good for. */
export type Purpose = 'subscribe' | 'sign_in' | 'cancel';

/** A text that a wallet is asked to sign. Times are those of the real clock. */
export type Challenge = {
  readonly id: string;
  readonly purpose: Purpose;
  /** Lower-case hex. */
  readonly wallet: string;
  /** The plan or the subscription that it is about; null for `sign_in`. */
  readonly subject: string | null;
  /** Where its signature is verified; null: on every network that collects. */
  readonly network: string | null;
  readonly message: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly usedAt: Date | null;
};

/** For this long a text can be signed: a hardware wallet takes a while, a stolen text should not last. */
export const CHALLENGE_MS = 10 * MINUTE_MS;

export type MessageParts = Pick<Challenge, 'id' | 'createdAt' | 'expiresAt'> & {
  /** As people compare it. */
  readonly address: string;
  /** The site, CHECKOUT_URL. */
  readonly checkoutUrl: string;
  readonly chainId: number;
  /** What the owner of the wallet says, one line. */
  readonly statement: string;
  /** The page that it is about. */
  readonly url: string;
};

/**
 * The text, in the form of EIP-4361: wallets know it, and warn their owner when another site than the one in its first
 * line asks for the signature. See decision customers/a-text-for-each-purpose.
 */
export function messageOf(parts: MessageParts): string {
  const { id, address, checkoutUrl, chainId, statement, url, createdAt, expiresAt } = parts;
  return [
    `${new URL(checkoutUrl).host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${checkoutUrl}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    `Nonce: ${nonceOf(id)}`,
    `Issued At: ${createdAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
    'Resources:',
    `- ${url}`,
  ].join('\n');
}

/** The id without its prefix: letters and digits, of which 74 bits are random. */
const nonceOf = (id: string): string => id.slice(id.indexOf('_') + 1);

/** What EIP-4361 knows of what is in names. An apostrophe is in a word: another could end the quotation. */
const PLAIN_NAME = /^(?:[A-Za-z0-9 !#&()+,./?_-]|(?<=[A-Za-z])'(?=[A-Za-z]))+$/;

/**
 * A name as part of a statement, in quotes. One that would leave the grammar of EIP-4361, or the quotes, is left to the
 * page: the id stands for it. See decision customers/a-text-for-each-purpose.
 */
export function inStatement(name: string, id: string): string {
  const line = inOneLine(name).replaceAll(/\s+/g, ' ');
  return PLAIN_NAME.test(line) ? `'${line}'` : id;
}

/** Throws VALIDATION_ERROR unless the challenge is for this, CONFLICT (`challenge_over`) once it is used or over. */
export function requireFor(
  challenge: Challenge | undefined,
  wanted: Pick<Challenge, 'purpose' | 'subject'>,
  real: Date,
): Challenge {
  if (challenge?.purpose !== wanted.purpose || challenge.subject !== wanted.subject) {
    throw invalidField('challengeId', 'is no text for this; ask for one with POST /v1/public/wallet-challenges');
  }
  if (challenge.usedAt !== null || challenge.expiresAt <= real) throw challengeOver();
  return challenge;
}

/** CONFLICT (`challenge_over`): the text was used, or its time is over. */
export const challengeOver = () =>
  conflict('This text was used or has run out. Ask for another and sign that.', 'challenge_over');
