import { randomInt } from 'node:crypto';
import { scriptOf } from '../chains/bitcoin/addresses.ts';
import { type Coin, type DevKey, deriveDevKeys, type Output, signSpending } from '../chains/bitcoin/dev-wallet.ts';
import { MNEMONIC } from '../chains/evm/dev-accounts.ts';
import { NodeRefusal } from '../chains/json-rpc.ts';
import { AppError } from '../lib/errors.ts';
import { createTurns } from '../lib/turns.ts';
import type { BitcoinControl, PoolEntry } from './bitcoin-control.ts';

/** What to pay: a regtest address of any type, and satoshis. */
export type BitcoinPayment = { readonly address: string; readonly units: bigint };

export type BitcoinSent = {
  readonly txid: string;
  /** The wallet's address. */
  readonly from: string;
};

/**
 * A payer with coins, whose keys are public. It remembers nothing: the node says what it has. Calls of one process wait
 * for each other, and a coin that another process has just spent is left alone.
 */
export type BitcoinWallet = {
  /** Where the coins go that it takes back from a payment. */
  readonly sink: string;
  /** One transaction with an output for each payment, sent to the pool. `patient`: see `isPatient`. */
  readonly pay: (payments: readonly BitcoinPayment[], options?: PayOptions) => Promise<BitcoinSent>;
  /**
   * Replaces a waiting transaction of this wallet by one that pays miners more, and the same to the same addresses, or
   * what `from` was to get to `to`. Throws CONFLICT when it does not wait.
   */
  readonly replace: (txid: string, redirect?: { from: string; to: string }) => Promise<BitcoinSent>;
  /** Spends the coins of a waiting transaction elsewhere, in a block mined at once. Throws CONFLICT likewise. */
  readonly doubleSpend: (txid: string) => Promise<BitcoinSent>;
};

export type PayOptions = {
  /** In satoshis a virtual byte. */
  readonly feeRate?: number;
  readonly patient?: boolean;
};

type Unspent = Coin & { readonly height: number };

type NodeCoin = {
  readonly txid: string;
  readonly vout: number;
  readonly amount: number;
  readonly height: number;
  readonly coinbase?: boolean;
};

const FEE_RATE = 2;
/** What a replacement adds: relays ask for 1. */
const FEE_RATE_STEP = 5;
/** The height in the lock time of a patient transaction. */
const PATIENT_LOCK_TIME = 1;
const SATOSHIS = 100_000_000;
const BCOIN_MATURITY = 2;
const CORE_MATURITY = 100;
/** More coins than a payment ever takes make no transaction that relays take. */
const COINS_MAX = 200;
/** Another process may spend the same coin first. */
const TRIES_MAX = 10;
const REFILL_BLOCKS = 20;

/**
 * Whether the wallet sent a transaction to stay in the pool until somebody mines; a mark that the chain itself carries.
 * See decision sandbox/unconfirmed-until-mined.
 */
export const isPatient = ({ lockTime }: Pick<PoolEntry, 'lockTime'>): boolean => lockTime === PATIENT_LOCK_TIME;

/** The payer of the sandbox's mnemonic, on the node of `control`. */
export function createBitcoinWallet(control: BitcoinControl): BitcoinWallet {
  const { payer, sink } = deriveDevKeys(MNEMONIC);
  const inTurn = createTurns();
  return {
    sink: sink.address,
    pay: (payments, options = {}) => inTurn(() => pay(control, payer, payments, options)),
    replace: (txid, redirect) => inTurn(() => replace(control, payer, txid, redirect)),
    doubleSpend: (txid) => inTurn(() => doubleSpend(control, payer, sink, txid)),
  };
}

async function pay(
  control: BitcoinControl,
  owner: DevKey,
  payments: readonly BitcoinPayment[],
  { feeRate = FEE_RATE, patient = false }: PayOptions,
): Promise<BitcoinSent> {
  const outputs = payments.map(({ address, units }) => ({ script: requireScript(address), units }));
  const lockTime = patient ? PATIENT_LOCK_TIME : 0;
  for (let tries = 1; ; tries += 1) {
    const all = await listCoins(control, owner);
    // Whoever took the oldest coin first does so again at the same time.
    const from = tries === 1 ? 0 : randomInt(Math.max(1, Math.ceil(all.length / 2)));
    const signed = choose([...all.slice(from), ...all.slice(0, from)], (coins) =>
      signSpending({ coins, outputs, owner, feeRate, lockTime }),
    );
    try {
      if (signed !== undefined) return await send(control, owner, signed);
    } catch (error) {
      if (!(error instanceof NodeRefusal) || tries === TRIES_MAX) throw error;
      continue;
    }
    if (tries === TRIES_MAX) throw new AppError('CONFLICT', 'amount: more than the sandbox has of its bitcoins.');
    await refill(control, owner);
  }
}

async function send(
  { rpc }: BitcoinControl,
  owner: DevKey,
  { hex, txid }: { hex: string; txid: string },
): Promise<BitcoinSent> {
  await rpc('sendrawtransaction', [hex]);
  return { txid, from: owner.address };
}

/** What the first coins make that suffice, with `fixed` ones always among them. */
function choose<T>(available: readonly Coin[], make: (coins: readonly Coin[]) => T | undefined, fixed: Coin[] = []) {
  for (let taken = fixed.length === 0 ? 1 : 0; taken <= Math.min(available.length, COINS_MAX); taken += 1) {
    const made = make([...fixed, ...available.slice(0, taken)]);
    if (made !== undefined) return made;
  }
  return undefined;
}

/**
 * The coins that no transaction spends, the oldest first: a reorganisation that drops the block of a coin drops what it
 * paid for. Change that still waits comes last: it goes when its transaction does.
 */
async function listCoins({ rpc, listPool, readHead }: BitcoinControl, owner: DevKey): Promise<Unspent[]> {
  const pool = await listPool();
  const spent = new Set(pool.flatMap(({ spends }) => spends.map(keyOf)));
  const { height } = await readHead();
  const { unspents } = await rpc<{ unspents: NodeCoin[] }>('scantxoutset', ['start', [`addr(${owner.address})`]]);
  const maturity = await readMaturity(rpc);
  const confirmed = unspents
    .filter((coin) => height + 1 - coin.height >= maturity || coin.coinbase === false)
    .map((coin) => ({ txid: coin.txid, index: coin.vout, units: unitsOf(coin.amount), height: coin.height }))
    .sort((a, b) => a.height - b.height || a.txid.localeCompare(b.txid));
  const waiting = pool.flatMap(({ txid, outputs }) =>
    outputs.flatMap(({ script, units }, index) =>
      script === owner.script ? [{ txid, index, units, height: height + 1 }] : [],
    ),
  );
  return [...confirmed, ...waiting].filter((coin) => !spent.has(keyOf(coin)));
}

/** How deep a coinbase must lie before it can be spent. */
async function readMaturity(rpc: BitcoinControl['rpc']): Promise<number> {
  const { subversion } = await rpc<{ subversion: string }>('getnetworkinfo');
  return subversion.includes('bcoin') ? BCOIN_MATURITY : CORE_MATURITY;
}

async function refill({ rpc }: BitcoinControl, owner: DevKey): Promise<void> {
  await rpc('generatetoaddress', [REFILL_BLOCKS + (await readMaturity(rpc)), owner.address]);
}

type Redirect = { readonly from: string; readonly to: string };

/**
 * Again where somebody was faster: who took a coin meanwhile leaves others, and what was mined meanwhile does not wait
 * any more, which the next try says.
 */
async function replace(
  control: BitcoinControl,
  owner: DevKey,
  txid: string,
  redirect: Redirect | undefined,
): Promise<BitcoinSent> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await replaceOnce(control, owner, txid, redirect);
    } catch (error) {
      if (!(error instanceof NodeRefusal) || tries === TRIES_MAX) throw error;
    }
  }
}

async function replaceOnce(
  control: BitcoinControl,
  owner: DevKey,
  txid: string,
  redirect: Redirect | undefined,
): Promise<BitcoinSent> {
  const { waiting, coins, feeRate } = await readOwn(control, owner, txid);
  const [from, to] = redirect ? [requireScript(redirect.from), requireScript(redirect.to)] : [];
  const outputs = paidBy(waiting, owner).map((output) =>
    output.script === from && to !== undefined ? { ...output, script: to } : output,
  );
  const { lockTime } = waiting;
  const make = (all: readonly Coin[]) =>
    signSpending({ coins: all, outputs, owner, feeRate: feeRate + FEE_RATE_STEP, lockTime });
  const signed = choose(await listCoins(control, owner), make, coins);
  if (signed === undefined) throw new AppError('CONFLICT', 'The sandbox has no coins left to pay a higher fee with.');
  return send(control, owner, signed);
}

async function doubleSpend(control: BitcoinControl, owner: DevKey, sink: DevKey, txid: string): Promise<BitcoinSent> {
  const { waiting, coins, feeRate } = await readOwn(control, owner, txid);
  const outputs = paidBy(waiting, owner).map((output) => ({ ...output, script: sink.script }));
  // The change covers the higher fee, or else what is taken back does.
  const signed =
    signSpending({ coins, outputs, owner, feeRate: feeRate + FEE_RATE_STEP }) ??
    signSpending({ coins, outputs: [], owner, feeRate: feeRate + FEE_RATE_STEP });
  if (signed === undefined) throw new AppError('CONFLICT', 'The coins of this transaction do not suffice for its fee.');
  await control.mineOnly([signed.hex]);
  return { txid: signed.txid, from: owner.address };
}

function requireScript(address: string): string {
  const script = scriptOf(address);
  if (script !== undefined) return script;
  throw new Error(`${address} is no address of Bitcoin.`);
}

const paidBy = ({ outputs }: PoolEntry, owner: DevKey): Output[] =>
  outputs.filter(({ script }) => script !== owner.script);

/** A waiting transaction of the wallet, the confirmed coins that it spends, and what it pays to miners. */
async function readOwn({ listPool, rpc }: BitcoinControl, owner: DevKey, txid: string) {
  const waiting = (await listPool()).find((entry) => entry.txid === txid);
  if (!waiting) throw new AppError('CONFLICT', 'This transaction does not wait in the pool.');
  const coins: Coin[] = [];
  for (const { txid: parent, index } of waiting.spends) {
    const coin = await rpc<{ value: number; scriptPubKey: { hex: string } } | null>('gettxout', [parent, index, false]);
    if (coin?.scriptPubKey.hex !== owner.script) {
      throw new AppError('CONFLICT', 'This transaction spends coins that are not the sandbox wallet’s, or wait too.');
    }
    coins.push({ txid: parent, index, units: unitsOf(coin.value) });
  }
  const fee = sum(coins) - sum(waiting.outputs);
  return { waiting, coins, feeRate: Math.ceil(Number(fee) / waiting.size) };
}

/** Without floats from here on: a double holds every amount of bitcoins exactly enough to be rounded right. */
const unitsOf = (bitcoins: number): bigint => BigInt(Math.round(bitcoins * SATOSHIS));

const sum = (amounts: readonly { readonly units: bigint }[]): bigint =>
  amounts.reduce((total, { units }) => total + units, 0n);

const keyOf = ({ txid, index }: Pick<Coin, 'txid' | 'index'>): string => `${txid}:${index}`;
