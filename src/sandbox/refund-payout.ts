import type { components } from '../../generated/api.ts';
import { AppError, notFound } from '../lib/errors.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import { isToken } from '../ports/assets.ts';
import type { Asset } from '../ports/chain.ts';
import { findRefund } from '../refunds/queries.ts';
import type { Refund } from '../refunds/refund.ts';
import { findHeight, requireBitcoin } from './bitcoin-pay.ts';
import { confirmationsOf } from './confirmations.ts';
import { findOwed, parseAmount } from './play-money.ts';
import type { Sandbox } from './sandbox.ts';

type Schemas = components['schemas'];

export type RefundPayoutRequest = Schemas['PaySandboxRefundRequest'] & {
  readonly refundId: string;
  readonly merchantId: string;
};

type Sent = { readonly txHash: string; readonly from: string; readonly block: number };

/**
 * Pays a claimed refund by a real transfer from the sandbox's payout wallet, of its amount or the request's. First
 * moves the chain's clock up to business time, so that the block is not older than the claim. Throws NOT_FOUND,
 * VALIDATION_ERROR, or CONFLICT when there is nothing to pay.
 */
export async function sandboxPayRefund(
  sandbox: Sandbox,
  request: RefundPayoutRequest,
): Promise<Schemas['SandboxRefundPayout']> {
  const { refundId, merchantId, amount, confirm = true } = request;
  const refund = await findRefund(sandbox.db, { id: refundId, merchantId });
  if (!refund) throw notFound('refund');
  const to = requireDestination(refund);
  const asset = assetOf(sandbox, refund);
  const units = amount === undefined ? refund.units : parseAmount(amount, asset);
  const sent =
    refund.network === sandbox.network.name
      ? await sendOnEvm(sandbox, asset, to, units, confirm)
      : await sendBitcoins(sandbox, to, units, confirm);
  return {
    ...{ refundId, txHash: sent.txHash, network: refund.network, token: refund.token as Schemas['Token'] },
    ...{ amount: presentUnits(refund.token, units, refund.decimals), from: sent.from, to, block: sent.block },
  };
}

function requireDestination({ status, destination }: Refund): string {
  if (status === 'awaiting_claim') {
    throw new AppError('CONFLICT', 'This refund is awaiting_claim; it is paid once its payer has named an address.');
  }
  if (destination !== null && (status === 'pending' || status === 'processing')) return destination.address;
  throw new AppError('CONFLICT', `This refund is ${status}; there is nothing left to pay out.`);
}

function assetOf(sandbox: Sandbox, { network, token, begunIn }: Refund): Asset {
  if (network !== sandbox.network.name) return requireBitcoin(sandbox).network.native;
  return findOwed(sandbox.network, token, begunIn);
}

async function sendOnEvm(sandbox: Sandbox, asset: Asset, to: string, units: bigint, confirm: boolean): Promise<Sent> {
  const { chain, clock, faucet } = sandbox;
  await chain.setTime(clock.now());
  const sent = isToken(asset)
    ? await faucet.transfer({ token: asset, to, units, patient: true })
    : await faucet.transferCoin({ to: [{ address: to, units }], by: 'account', patient: true });
  if (confirm) await chain.mine(confirmationsOf(sandbox) - 1);
  return { txHash: sent.txHash, from: sent.from, block: sent.blockNumber };
}

async function sendBitcoins(sandbox: Sandbox, to: string, units: bigint, confirm: boolean): Promise<Sent> {
  const { control, wallet, network } = requireBitcoin(sandbox);
  const { txid, from } = await wallet.pay([{ address: to, units }], { patient: !confirm });
  if (confirm) await control.mine(confirmationsOf({ ...sandbox, network }));
  return { txHash: txid, from, block: await findHeight(control, txid) };
}
