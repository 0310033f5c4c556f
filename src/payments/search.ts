import { invalidField } from '../lib/errors.ts';
import type { AddressKey, Chains } from '../ports/chain-kind.ts';

/** What the text of a search names. Only `text` can mean many things. */
export type Search =
  | { readonly kind: 'payment'; readonly id: string }
  /** The spellings that the hash may be stored in. */
  | { readonly kind: 'transaction'; readonly hashes: readonly string[] }
  | { readonly kind: 'address'; readonly keys: readonly AddressKey[] }
  /** A part of a description or an e-mail address, or the beginning of an id. */
  | { readonly kind: 'text'; readonly text: string };

const LENGTH_MIN = 2;
const PAYMENT_ID = /^pay_[0-9a-z]{26}$/;
const HASH = /^(0x)?([0-9a-f]{64})$/;

/** Reads a search by its form, so that whole ids, hashes and addresses are looked up instead of searched for. */
export function parseSearch(said: string, chains: Pick<Chains, 'keysOf'>): Search {
  const text = said.trim();
  if (text.length < LENGTH_MIN) throw invalidField('search', `must have at least ${LENGTH_MIN} characters`);
  const lower = text.toLowerCase();
  if (PAYMENT_ID.test(lower)) return { kind: 'payment', id: lower };
  const digits = HASH.exec(lower)?.[2];
  // Bitcoin's hashes are written without 0x, and people copy the others without it.
  if (digits !== undefined) return { kind: 'transaction', hashes: [digits, `0x${digits}`] };
  const keys = chains.keysOf(text);
  return keys.length > 0 ? { kind: 'address', keys } : { kind: 'text', text };
}
