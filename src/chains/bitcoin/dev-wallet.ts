import { pbkdf2Sync } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { p2wpkh, RawTx, TEST_NETWORK, Transaction } from '@scure/btc-signer';

/** Keys and transactions of development nodes; everything here is pure. Amounts are in satoshis. */

/** A single key and its P2WPKH address. */
export type DevKey = { readonly address: string; readonly script: string; readonly privateKey: Uint8Array };

/** The keys of a development mnemonic (BIP-84): public, and worth nothing on any other chain. */
export type DevKeys = {
  /** Account 0: whose coins the sandbox pays with. */
  readonly payer: DevKey;
  /** Account 1, as an extended public key (`vpub…`): deposit addresses are derived from it. */
  readonly accountKey: string;
  /** Account 2: takes what blocks bring, and what payers send elsewhere. */
  readonly sink: DevKey;
};

/** An output that a key can spend. */
export type Coin = { readonly txid: string; readonly index: number; readonly units: bigint };

/** An output of a transaction; `script` in lower-case hex. */
export type Output = { readonly script: string; readonly units: bigint };

export type ParsedTransaction = {
  readonly txid: string;
  readonly spends: readonly Pick<Coin, 'txid' | 'index'>[];
  readonly outputs: readonly Output[];
  readonly lockTime: number;
  /** In virtual bytes. */
  readonly size: number;
};

export type DevSpending = {
  readonly coins: readonly Coin[];
  readonly outputs: readonly Output[];
  /** The owner of all coins, who also gets the change. */
  readonly owner: DevKey;
  /** In satoshis a virtual byte. */
  readonly feeRate: number;
  /** A height that has passed: a mark that nodes ignore. 0 when absent. */
  readonly lockTime?: number;
};

/** Bitcoin Core's regtest. */
const REGTEST = { ...TEST_NETWORK, bech32: 'bcrt' };
/** With these versions an extended key reads `vpub` and `vprv` (SLIP-132). */
const VERSIONS = { private: 0x045f18bc, public: 0x045f1cf6 };
/** Signals that the transaction may be replaced (BIP-125), and lets a lock time count. */
const REPLACEABLE = 0xfffffffd;
const SCALE = 4;
/** The least that relays take as change: three times what spending it costs. */
const DUST = 294n;

const derived = new Map<string, DevKeys>();

/** The keys of a mnemonic (BIP-39 without a password), reckoned once: that takes up to 60 ms of a start. */
export function deriveDevKeys(mnemonic: string): DevKeys {
  const keys = derived.get(mnemonic) ?? derive(mnemonic);
  derived.set(mnemonic, keys);
  return keys;
}

function derive(mnemonic: string): DevKeys {
  const seed = pbkdf2Sync(mnemonic.normalize('NFKD'), 'mnemonic', 2048, 64, 'sha512');
  const root = HDKey.fromMasterSeed(seed, VERSIONS).derive("m/84'/1'");
  const account = (index: number): HDKey => root.derive(`m/${index}'`);
  return {
    payer: firstKey(account(0)),
    accountKey: account(1).publicExtendedKey,
    sink: firstKey(account(2)),
  };
}

function firstKey(account: HDKey): DevKey {
  const { privateKey, publicKey } = account.derive('m/0/0');
  const { address, script } = p2wpkh(publicKey!, REGTEST);
  return { address: address!, script: toHex(script), privateKey: privateKey! };
}

/** The transaction that a node gives as hex. Throws when it is none. */
export function parseTransaction(hex: string): ParsedTransaction {
  const bytes = fromHex(hex);
  const { inputs, outputs, lockTime } = RawTx.decode(bytes);
  const { id, weight } = Transaction.fromRaw(bytes, LENIENT);
  return {
    txid: id,
    spends: inputs.map((input) => ({ txid: toHex(input.txid), index: input.index })),
    outputs: outputs.map(({ script, amount }) => ({ script: toHex(script), units: amount })),
    lockTime,
    size: Math.ceil(weight / SCALE),
  };
}

/**
 * Signs a transaction that spends all of the coins; what remains after outputs and fee goes back to the owner. Returns
 * undefined when the coins do not suffice.
 */
export function signSpending(spending: DevSpending): { hex: string; txid: string } | undefined {
  const { coins, outputs, feeRate } = spending;
  const left = sum(coins) - sum(outputs);
  if (left < 0n) return undefined;
  const size = BigInt(signWith(spending, 0n).vsize + CHANGE_BYTES);
  const change = left - size * BigInt(feeRate);
  if (change < 0n) return undefined;
  const { hex, id } = signWith(spending, change);
  return { hex, txid: id };
}

const CHANGE_BYTES = 31;

function signWith({ coins, outputs, owner, lockTime = 0 }: DevSpending, change: bigint): Transaction {
  // Signatures of one length, so that the size is known before the change.
  const transaction = new Transaction({ lockTime, lowR: true, ...LENIENT });
  const script = fromHex(owner.script);
  for (const { txid, index, units } of coins) {
    transaction.addInput({ txid, index, witnessUtxo: { script, amount: units }, sequence: REPLACEABLE });
  }
  for (const output of outputs) transaction.addOutput({ script: fromHex(output.script), amount: output.units });
  if (change >= DUST) transaction.addOutput({ script, amount: change });
  transaction.sign(owner.privateKey);
  transaction.finalize();
  return transaction;
}

/** Coinbases, and outputs to scripts of any kind. */
const LENIENT = { allowUnknownInputs: true, allowUnknownOutputs: true, disableScriptCheck: true } as const;

const sum = (amounts: readonly { readonly units: bigint }[]): bigint =>
  amounts.reduce((total, { units }) => total + units, 0n);

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
