import type { SignedInstructions } from './context.ts';
import { networkText } from './format.ts';
import type { Words } from './words.ts';

/** Everything that the check of an address shows; the template decides nothing. */
export type VerifyView = {
  readonly title: string;
  /** In groups of four, which people compare one by one. */
  readonly address: readonly string[];
  readonly code: string;
  readonly lines: readonly { readonly label: string; readonly value: string }[];
  readonly keyId: string;
  readonly keysUrl: string;
  /** What comparing what was typed has found; null before. */
  readonly finding: Finding | null;
};

type Finding = { readonly isRight: boolean; readonly text: string };

const CODE = /^[0-9A-HJKMNP-TV-Z]{16}$/;
const LOOKALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

/** The check of the address of signed instructions, and of what the payer typed; empty for nothing. Pure. */
export function verifyView(signed: SignedInstructions, typed: string, words: Words): VerifyView {
  const { instructions, code, keyId, keysUrl } = signed;
  const { merchantName: merchant, network, chainId, token, contract, amount, address, holdsUntil } = instructions;
  const { say, tokens, moment } = words;
  const chain = chainId === null ? '' : ` (${say('verify.chain', { id: String(chainId) })})`;
  return {
    title: say('verify.title', { merchant }),
    address: groupsOf(address),
    code,
    lines: [
      { label: say('receipt.paid_to'), value: merchant },
      { label: say('pay.exactly'), value: tokens(amount, token) },
      { label: say('pay.network'), value: `${networkText(network)}${chain}` },
      ...(contract === null ? [] : [{ label: say('verify.contract'), value: contract }]),
      { label: say('verify.holds'), value: moment(holdsUntil) },
    ],
    ...{ keyId, keysUrl },
    finding: typed.trim() === '' ? null : findingOf(signed, typed, words),
  };
}

/**
 * What was typed is right only if it is what is signed at this moment. An older code can't be told from a false one, so
 * the text says both.
 */
function findingOf({ code, instructions }: SignedInstructions, typed: string, { say }: Words): Finding {
  const given = typed.replace(/[\s\u00a0-]/g, '');
  if (given.toLowerCase() === instructions.address.toLowerCase()) {
    return { isRight: true, text: say('verify.right_address') };
  }
  const asCode = given.toUpperCase().replace(/[OIL]/g, (letter) => LOOKALIKES[letter] ?? letter);
  if (asCode === code.replaceAll('-', '')) return { isRight: true, text: say('verify.right_code') };
  if (CODE.test(asCode)) return { isRight: false, text: say('verify.old') };
  return { isRight: false, text: say(looksLikeAddress(given) ? 'verify.wrong_address' : 'verify.unreadable') };
}

const looksLikeAddress = (text: string): boolean => /^[0-9a-z]{26,}$/i.test(text);

/** `0x` or `bc1` stands with the first group, so that the groups are those of the characters that differ. */
function groupsOf(address: string): string[] {
  const head = /^(?:0x|[a-z]+1)/.exec(address)?.[0] ?? '';
  const [first = '', ...others] = address.slice(head.length).match(/.{1,4}/g) ?? [];
  return [head + first, ...others];
}
