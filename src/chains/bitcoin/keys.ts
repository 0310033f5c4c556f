import { createHmac, createSecretKey } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToNumberBE } from '@noble/curves/utils.js';
import { HDKey } from '@scure/bip32';
import { hash160 } from '@scure/btc-signer/utils.js';
import { type Affine, addMultiples, prepareTables } from './child-points.ts';
import { withoutChecksum } from './descriptor.ts';
import { type BitcoinChain, PARAMS } from './params.ts';

/** The addresses of an account, as its extended public key gives them. */
export type Account = {
  /** That of its first address. */
  readonly first: string;
  /**
   * The hash of the public key (HASH160, 20 bytes) at `index` of the account's addresses, in hex. Those at `next`,
   * which are asked for soon, are derived with it.
   */
  readonly keyHash: (index: number, next?: readonly number[]) => string;
  /** The public key at `index` itself, compressed. */
  readonly publicKey: (index: number) => Uint8Array;
  /** How a wallet that holds the seed finds these keys; an account whose key does not say it is its own origin. */
  readonly origin: Origin;
};

/** The key that a path begins at, by the first four bytes of its hash, and the steps down to the addresses' parent. */
type Origin = { readonly fingerprint: number; readonly path: readonly number[] };

/** An extended key's first characters, and what they say. */
type Form = { readonly version: number; readonly keys: 'main' | 'test'; readonly of: 'any' | 'segwit' };

/** Forms of SLIP-132 for accounts whose addresses are P2WPKH, and those of BIP32, which say nothing of addresses. */
const FORMS: Readonly<Record<string, Form>> = {
  xpub: { version: 0x04_88_b2_1e, keys: 'main', of: 'any' },
  zpub: { version: 0x04_b2_47_46, keys: 'main', of: 'segwit' },
  tpub: { version: 0x04_35_87_cf, keys: 'test', of: 'any' },
  vpub: { version: 0x04_5f_1c_f6, keys: 'test', of: 'segwit' },
};

const FORM_LENGTH = 4;
/** An account is the third level below the seed (BIP84). */
const ACCOUNT_DEPTH = 3;
/** An extended private key, a key in the form that wallets import, or the bytes of one. */
const PRIVATE =
  /(?:^|[^A-Za-z0-9])(?:[A-Za-z]prv[A-Za-z0-9]|[5KLc9][1-9A-HJ-NP-Za-km-z]{50,51}(?![A-Za-z0-9])|[0-9a-fA-F]{64}$)/;
const NESTED = /^[yYuU]pub/;
const MULTISIG = /^[ZV]pub/;
/** Key origin, key, and the way to the addresses, where `<0;1>` stands for both chains of an account (BIP389). */
const DESCRIPTOR =
  /^wpkh\((?:\[([0-9a-fA-F]{8}(?:\/\d+['h]?)*)\])?([xt]pub[1-9A-HJ-NP-Za-km-z]+)((?:\/(?:\d+|<\d+;\d+>))*)\/\*\)$/;
const HARDENED = 0x8000_0000;
const { Point } = secp256k1;
const INDEX_BYTES = 4;
const SCALAR_BYTES = 32;
/** Fewer are derived as fast one by one. */
const TOGETHER_MIN = 8;
/** More would keep others waiting for over two milliseconds. */
const TOGETHER_MAX = 32;

const PUBLIC_ONLY =
  'is a private key: take it out of the file, move what it holds to another wallet, and give the extended public key ' +
  '(zpub…) of that one, because Kasi needs no more';
const UNKNOWN =
  'is no extended public key (zpub, xpub; vpub, tpub on test chains) and no descriptor wpkh([…]xpub…/0/*): copy it ' +
  'from the wallet again';

const accounts = new Map<string, Account | string>();

/**
 * The account of an extended public key or a descriptor, or what is wrong with it as the rest of a sentence, which
 * never quotes it: it may be a secret.
 */
export function readAccount(text: string, chain: BitcoinChain): Account | string {
  const key = `${PARAMS[chain].keys} ${text}`;
  const known = accounts.get(key);
  if (known !== undefined) return known;
  const account = parseAccount(text.trim(), PARAMS[chain].keys);
  accounts.set(key, account);
  return account;
}

/** The account of a key that was found to be right. Throws otherwise. */
export function accountOf(text: string, chain: BitcoinChain): Account {
  const account = readAccount(text, chain);
  if (typeof account === 'string') throw new Error(`accountKey ${account}.`);
  return account;
}

function parseAccount(text: string, keys: 'main' | 'test'): Account | string {
  if (PRIVATE.test(text)) return PUBLIC_ONLY;
  if (NESTED.test(text))
    return 'is of an account with nested addresses (BIP49): give the key of one with native SegWit addresses (BIP84)';
  if (MULTISIG.test(text)) return 'is of a wallet with several signers: give the key of one with a single signer';
  return text.startsWith('wpkh(') ? parseDescriptor(text, keys) : parseExtended(text, keys);
}

function parseDescriptor(text: string, keys: 'main' | 'test'): Account | string {
  const descriptor = withoutChecksum(text);
  if (descriptor === null) return 'is a descriptor with a wrong checksum: copy it from the wallet again';
  const [, origin, key, path] = DESCRIPTOR.exec(descriptor) ?? [];
  if (key === undefined || path === undefined) return UNKNOWN;
  const steps = path
    .split('/')
    .slice(1)
    .map((step) => Number(/\d+/.exec(step)?.[0]));
  if (!steps.every((step) => step < HARDENED)) return UNKNOWN;
  const account = derive(key, keys, steps);
  if (typeof account === 'string' || origin === undefined) return account;
  const { fingerprint, path: above } = parseOrigin(origin);
  return { ...account, origin: { fingerprint, path: [...above, ...steps] } };
}

/** As in `d34db33f/84'/0'/0'`. */
function parseOrigin(text: string): Origin {
  const [fingerprint = '', ...steps] = text.split('/');
  const path = steps.map((step) => Number.parseInt(step, 10) + (/['h]$/.test(step) ? HARDENED : 0));
  return { fingerprint: Number.parseInt(fingerprint, 16), path };
}

function parseExtended(text: string, keys: 'main' | 'test'): Account | string {
  // Its addresses lie on the first of its two chains (BIP44).
  return derive(text, keys, [0], ACCOUNT_DEPTH);
}

function derive(text: string, keys: 'main' | 'test', path: readonly number[], deepest?: number): Account | string {
  const form = FORMS[text.slice(0, FORM_LENGTH)];
  if (form === undefined) return UNKNOWN;
  if (form.keys !== keys) return `is of a ${form.keys} chain, and this one takes those of a ${keys} chain`;
  let node: HDKey;
  try {
    node = HDKey.fromExtendedKey(text, { public: form.version, private: 0 });
    if (node.publicKey === null || node.privateKey !== null) return UNKNOWN;
  } catch {
    return UNKNOWN;
  }
  if (deepest !== undefined && node.depth > deepest)
    return 'lies below its account: give the key of the account, or a descriptor that says where its addresses lie';
  const chain = path.reduce((parent, step) => parent.deriveChild(step), node);
  const { publicKeyAt, publicKeysAt } = childrenOf(chain);
  const ahead = new Map<number, Uint8Array>();
  const deriveWith = (index: number, next: readonly number[]): Uint8Array => {
    const indexes = [index, ...next.slice(0, TOGETHER_MAX - 1)];
    ahead.clear();
    for (const [at, key] of (publicKeysAt(indexes) ?? []).entries()) ahead.set(indexes[at] as number, key);
    return ahead.get(index) ?? publicKeyAt(index);
  };
  const keyHash = (index: number, next: readonly number[] = []): string => {
    const key = ahead.get(index) ?? (next.length < TOGETHER_MIN ? publicKeyAt(index) : deriveWith(index, next));
    ahead.delete(index);
    return Buffer.from(hash160(key)).toString('hex');
  };
  const origin = { fingerprint: node.fingerprint, path };
  return { first: keyHash(0), keyHash, publicKey: publicKeyAt, origin };
}

/**
 * The public keys of a node's children, as BIP32 derives them and in less than half of the library's time: the parent
 * is checked once, and nothing here is secret, so no time is spent on hiding it. What is rare is left to the library.
 * Several together take less than half of that; undefined where they can not be made together.
 */
function childrenOf(node: HDKey) {
  const { publicKey, chainCode } = node;
  if (publicKey === null || chainCode === null) throw new Error('the node has no public key');
  const parent = Point.fromBytes(publicKey);
  // Read once: each Hmac would make such an object of its key.
  const hmacKey = createSecretKey(chainCode);
  const tweakAt = (index: number): Buffer => {
    if (!(Number.isInteger(index) && index >= 0 && index < HARDENED)) throw new RangeError(`no child ${index}`);
    const data = Buffer.concat([publicKey, Buffer.alloc(INDEX_BYTES)]);
    data.writeUInt32BE(index, publicKey.length);
    return createHmac('sha512', hmacKey).update(data).digest().subarray(0, SCALAR_BYTES);
  };
  const publicKeyAt = (index: number): Uint8Array => {
    const tweak = bytesToNumberBE(tweakAt(index));
    const child = tweak < Point.Fn.ORDER ? Point.BASE.multiplyUnsafe(tweak).add(parent) : Point.ZERO;
    // One index in 2^127 has no child of its own.
    return child.is0() ? (node.deriveChild(index).publicKey as Uint8Array) : child.toBytes(true);
  };
  const publicKeysAt = (indexes: readonly number[]): Uint8Array[] | undefined => {
    if (!prepareTables()) return undefined;
    const tweaks = indexes.map(tweakAt);
    if (tweaks.some((tweak) => bytesToNumberBE(tweak) >= Point.Fn.ORDER)) return undefined;
    return addMultiples(parent.toAffine(), tweaks)?.map(toBytes);
  };
  return { publicKeyAt, publicKeysAt };
}

/** The compressed form of a public key. */
const toBytes = ({ x, y }: Affine): Uint8Array =>
  Buffer.from(`${y % 2n === 0n ? '02' : '03'}${x.toString(16).padStart(2 * SCALAR_BYTES, '0')}`, 'hex');
