import type { components } from '../../generated/api.ts';
import { scriptOf } from '../chains/bitcoin/addresses.ts';
import { AppError, invalidField } from '../lib/errors.ts';
import { formatFixed } from '../lib/money.ts';
import { dueUnitsOf } from '../payments/present.ts';
import { getPayment } from '../payments/queries.ts';
import type { Payment, PaymentOption } from '../payments/types.ts';
import type { SandboxBitcoin } from './bitcoin.ts';
import type { BitcoinControl } from './bitcoin-control.ts';
import type { BitcoinWallet } from './bitcoin-wallet.ts';
import { confirmationsOf } from './confirmations.ts';
import { type PayRequest, requireDue, untilCredited } from './paying.ts';
import { parseAmount } from './play-money.ts';
import type { Sandbox } from './sandbox.ts';
import { until } from './sync.ts';

type Schemas = components['schemas'];

export type ReplaceRequest = Schemas['ReplaceSandboxTransferRequest'] & {
  readonly paymentId: string;
  readonly merchantId: string;
};

const GONE_WITHIN_MS = 5_000;

/** `sandboxPay` in bitcoins: the transaction is left in the pool, or mined with what else waits there. */
export async function payInBitcoins(
  sandbox: Sandbox,
  payment: Payment,
  { amount, confirm = true }: PayRequest,
): Promise<Schemas['SandboxTransfer']> {
  const { control, wallet, network } = requireBitcoin(sandbox);
  const option = bitcoinOption(payment);
  if (!option) throw invalidField('token', 'this payment has no address for BTC: it does not offer it');
  const units =
    amount === undefined ? dueUnitsOf(payment, option, requireDue(payment)) : parseAmount(amount, network.native);
  const to = option.address;
  const { txid, from } = await wallet.pay([{ address: to, units }], { patient: !confirm });
  if (confirm) await control.mine(confirmationsOf({ ...sandbox, network }));
  await untilCredited(sandbox, payment.id, txid, confirm);
  return {
    paymentId: payment.id,
    txHash: txid,
    network: network.name,
    token: network.native.symbol,
    amount: formatFixed(units, network.native.decimals),
    from,
    to,
    block: await findHeight(control, txid),
  };
}

/**
 * Lets the newest waiting transfer to a payment, or the one that the request names, be replaced, spent twice or
 * dropped, and waits some seconds until the service has seen it. Throws NOT_FOUND, or CONFLICT when none waits.
 */
export function sandboxReplace(sandbox: Sandbox, request: ReplaceRequest): Promise<Schemas['SandboxReplacement']> {
  return sandbox.inTurn(request.paymentId, async () => {
    const { paymentId, merchantId, by } = request;
    const payment = await getPayment(sandbox.db, { id: paymentId, merchantId });
    const { control, wallet, network } = requireBitcoin(sandbox);
    const address = bitcoinOption(payment)?.address ?? '';
    const replaced = await findWaiting(control, address, request.txHash);
    const txHash = await replaceBy(by, { control, wallet }, replaced, address);
    await untilGone(sandbox, paymentId, replaced);
    if (by === 'same_address' && txHash !== null) await untilCredited(sandbox, paymentId, txHash, false);
    const block = txHash === null ? 0 : await findHeight(control, txHash);
    return { paymentId, network: network.name, replacedTxHash: replaced, txHash, block };
  });
}

async function replaceBy(
  by: ReplaceRequest['by'],
  { control, wallet }: { readonly control: BitcoinControl; readonly wallet: BitcoinWallet },
  txid: string,
  address: string,
): Promise<string | null> {
  switch (by) {
    case 'same_address':
      return (await wallet.replace(txid)).txid;
    case 'other_address':
      return (await wallet.replace(txid, { from: address, to: wallet.sink })).txid;
    case 'double_spend':
      return (await wallet.doubleSpend(txid)).txid;
    case 'nothing':
      await control.evict(txid);
      return null;
  }
}

/** The sandbox's Bitcoin. Throws CONFLICT where it did not start. */
export function requireBitcoin({ bitcoin }: Sandbox): SandboxBitcoin {
  if (bitcoin) return bitcoin;
  throw new AppError('CONFLICT', 'The Bitcoin node of this sandbox did not start; GET /v1/sandbox says why.');
}

const bitcoinOption = ({ options }: Payment): PaymentOption | undefined => options.find(({ token }) => token === 'BTC');

async function findWaiting({ listPool }: BitcoinControl, address: string, txHash: string | undefined): Promise<string> {
  const script = scriptOf(address);
  const paying = (await listPool()).filter(({ outputs }) => outputs.some((output) => output.script === script));
  const found = paying.findLast(({ txid }) => txHash === undefined || txid === txHash);
  if (found) return found.txid;
  throw new AppError('CONFLICT', 'No transfer to this payment waits in the pool.');
}

/** The height of the block with a transaction of which an output is unspent; 0 where there is none. */
export async function findHeight({ rpc, readHead }: BitcoinControl, txid: string): Promise<number> {
  const { height } = await readHead();
  for (const index of [0, 1]) {
    const coin = await rpc<{ confirmations: number } | null>('gettxout', [txid, index, false]);
    if (coin) return height - coin.confirmations + 1;
  }
  return 0;
}

/** Waits until the credit of a transaction, if the service stored one, counts no longer. */
async function untilGone({ db, poke }: Sandbox, paymentId: string, txHash: string): Promise<void> {
  poke?.();
  await until(GONE_WITHIN_MS, async () => {
    const counted = await db
      .selectFrom('credits')
      .select('id')
      .where('payment_id', '=', paymentId)
      .where('tx_hash', '=', txHash)
      .where((is) => is.or([is('canonical', '=', true), is('applied_at', 'is', null)]))
      .executeTakeFirst();
    return counted === undefined;
  });
}
