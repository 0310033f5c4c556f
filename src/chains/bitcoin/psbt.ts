import { selectUTXO, type Transaction } from '@scure/btc-signer';
import { addressOf, CODED } from './addresses.ts';
import type { Account } from './keys.ts';
import { type BitcoinChain, PARAMS } from './params.ts';

/** An output that the account can spend. `key` is the place of its address in the account. */
export type Coin = { readonly txHash: string; readonly index: number; readonly units: bigint; readonly key: number };

/** A transaction that nobody has signed. Amounts are in satoshis. */
export type Draft = {
  /** By BIP174, in base64. */
  readonly psbt: string;
  /** What the signed one will be called: the hash covers no signature of SegWit. */
  readonly txHash: string;
  readonly fee: bigint;
  readonly spent: readonly Coin[];
  /** The output that goes back to the account. */
  readonly change: { readonly index: number; readonly units: bigint } | null;
};

export type Wish = {
  /** Spent in any case. */
  readonly required: readonly Coin[];
  readonly others: readonly Coin[];
  /** Where it pays to; scripts in hex. */
  readonly outputs: readonly { readonly script: string; readonly units: bigint }[];
  /** In satoshis a virtual byte. */
  readonly feeRate: number;
  /** Tells transactions apart that are else the same: the height from which it may be mined, which all chains have. */
  readonly variant: number;
};

/** It may be replaced by one with a higher fee (BIP125), for as long as it waits. */
const REPLACEABLE = 0xfffffffd;
/** The account's first address, which no payment gets. */
export const CHANGE_KEY = 0;

/**
 * An unsigned transaction of an account's coins to these outputs, what is left going back to the account; undefined
 * when the coins do not suffice. The same wish gives the same transaction. Pure.
 */
export function draftTransaction(chain: BitcoinChain, account: Account, wish: Wish): Draft | undefined {
  const coins = [...wish.required, ...wish.others];
  const toInput = (coin: Coin) => inputOf(account, coin);
  const changeScript = scriptAt(account, CHANGE_KEY);
  const selected = selectUTXO(
    wish.others.map(toInput),
    wish.outputs.map(({ script, units }) => ({ script: Buffer.from(script, 'hex'), amount: units })),
    'default',
    {
      requiredInputs: wish.required.map(toInput),
      feePerByte: BigInt(wish.feeRate),
      changeAddress: addressOf(chain, changeScript),
      network: CODED[PARAMS[chain].family],
      ...{ bip69: true, createTx: true, lockTime: wish.variant },
    },
  );
  const transaction = selected?.tx;
  if (selected === undefined || transaction === undefined) return undefined;
  const spent = Array.from({ length: transaction.inputsLength }, (_, at) => coinAt(transaction, at, coins));
  return {
    psbt: Buffer.from(transaction.toPSBT()).toString('base64'),
    txHash: transaction.id,
    fee: selected.fee ?? 0n,
    spent,
    change: selected.change ? findChange(transaction, changeScript) : null,
  };
}

const scriptAt = (account: Account, key: number): string => `0014${account.keyHash(key)}`;

function inputOf(account: Account, { txHash, index, units, key }: Coin) {
  const { fingerprint, path } = account.origin;
  return {
    ...{ txid: txHash, index, sequence: REPLACEABLE },
    witnessUtxo: { script: Buffer.from(scriptAt(account, key), 'hex'), amount: units },
    bip32Derivation: [[account.publicKey(key), { fingerprint, path: [...path, key] }]] as [
      Uint8Array,
      { fingerprint: number; path: number[] },
    ][],
  };
}

function coinAt(transaction: Transaction, at: number, coins: readonly Coin[]): Coin {
  const { txid = new Uint8Array(), index } = transaction.getInput(at);
  const txHash = Buffer.from(txid).toString('hex');
  const coin = coins.find((each) => each.txHash === txHash && each.index === index);
  if (coin === undefined) throw new Error(`the transaction spends ${txHash}:${index}, which it was not given`);
  return coin;
}

/** Where nobody is paid to the same address, which is no destination: it is the account's. */
function findChange(transaction: Transaction, changeScript: string): Draft['change'] {
  for (let index = 0; index < transaction.outputsLength; index += 1) {
    const { script, amount } = transaction.getOutput(index);
    if (script && amount !== undefined && Buffer.from(script).toString('hex') === changeScript)
      return { index, units: amount };
  }
  throw new Error('the transaction gives nothing back');
}
