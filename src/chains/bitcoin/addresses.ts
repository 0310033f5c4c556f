import { Address, NETWORK, OutScript, TEST_NETWORK } from '@scure/btc-signer';
import type { AddressRules } from '../../ports/chain-kind.ts';
import { type BitcoinChain, type Family, PARAMS } from './params.ts';

/** How each family writes addresses. */
export const CODED: Readonly<Record<Family, typeof NETWORK>> = {
  main: NETWORK,
  test: TEST_NETWORK,
  regtest: { ...TEST_NETWORK, bech32: 'bcrt' },
};

/**
 * The prefixes of each family. Test chains and regtest share those of base58, so such an address is one of either: it
 * reads as the first family that takes it.
 */
const CODERS: Readonly<Record<Family, ReturnType<typeof Address>>> = {
  main: Address(CODED.main),
  test: Address(CODED.test),
  regtest: Address(CODED.regtest),
};
type Decoded = Parameters<ReturnType<typeof Address>['encode']>[0];
const FAMILIES = Object.keys(CODERS) as Family[];

/** An output script is the address itself on the main chain; elsewhere the family stands before it. */
const MARKS: Readonly<Record<Family, string>> = { main: '', test: 'tb:', regtest: 'bcrt:' };

/** What scripts of the forms that have an address look like: P2WPKH, P2WSH and P2TR, P2SH, P2PKH. */
const SCRIPT = /^(?:0014([0-9a-f]{40})|(?:0020|5120)([0-9a-f]{64})|a914([0-9a-f]{40})87|76a914([0-9a-f]{40})88ac)$/;

/** An address that was read, with the families that take it. */
type Read = { readonly families: readonly Family[]; readonly script: string };

/**
 * What a text that is an address pays to; undefined when it is none. Checksums are strict. Other witness programs than
 * those of version 0 and 1 with the usual lengths are none: no wallet gives them out, and what is sent there is lost.
 */
function read(text: string): Read | undefined {
  const found = FAMILIES.flatMap((family) => {
    const script = decode(family, text);
    return script === undefined ? [] : [{ family, script }];
  });
  const [first] = found;
  return first && { families: found.map(({ family }) => family), script: first.script };
}

function decode(family: Family, text: string): string | undefined {
  try {
    const script = Buffer.from(OutScript.encode(CODERS[family].decode(text))).toString('hex');
    return SCRIPT.test(script) ? script : undefined;
  } catch {
    return undefined;
  }
}

/** The canonical spelling of what an output of this chain pays to; `script` in lower-case hex. */
export const canonicalOf = (chain: BitcoinChain, script: string): string => `${MARKS[PARAMS[chain].family]}${script}`;

/** A canonical spelling in its parts; undefined for any other text. */
function readCanonical(text: string): { readonly family: Family; readonly script: string } | undefined {
  const family = FAMILIES.find((each) => MARKS[each] !== '' && text.startsWith(MARKS[each])) ?? 'main';
  const script = text.slice(MARKS[family].length);
  return SCRIPT.test(script) ? { family, script } : undefined;
}

/** The output script of an address, however it is spelled, in lower-case hex; undefined when it is none. */
export const scriptOf = (address: string): string | undefined => (readCanonical(address) ?? read(address))?.script;

/** The address that an output script pays to on a chain. Throws for a script that has none. */
export const addressOf = (chain: BitcoinChain, script: string): string => encode(PARAMS[chain].family, script);

const encode = (family: Family, script: string): string =>
  CODERS[family].encode(OutScript.decode(Buffer.from(script, 'hex')) as Decoded);

/** Whether an address can be paid on a chain, rather than on one with other prefixes. */
export function isOnChain(chain: BitcoinChain, address: string): boolean {
  const { family } = PARAMS[chain];
  const canonical = readCanonical(address);
  return canonical ? canonical.family === family : read(address)?.families.includes(family) === true;
}

/**
 * Bitcoin's addresses, of all families. The canonical spelling is the output script, so that blocks are matched without
 * encoding addresses. See decision chains/bitcoin/script-is-the-address.
 */
export const ADDRESS_RULES: AddressRules = {
  isAddress: (text) => read(text) !== undefined,
  canonical: (address) => {
    if (readCanonical(address)) return address;
    const found = read(address);
    if (found === undefined) throw new Error('no address of Bitcoin');
    return `${MARKS[found.families[0] as Family]}${found.script}`;
  },
  isCanonical: (text) => readCanonical(text) !== undefined,
  present: (address) => {
    const canonical = readCanonical(address);
    if (canonical) return encode(canonical.family, canonical.script);
    const found = read(address);
    return found === undefined ? address : encode(found.families[0] as Family, found.script);
  },
  isOwnerless: (address) => {
    const [, ...hashes] = SCRIPT.exec(scriptOf(address) ?? '') ?? [];
    return hashes.some((hash) => hash !== undefined && /^0+$/.test(hash));
  },
};
