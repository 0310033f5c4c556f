import type { components } from '../../generated/api.ts';
import type { EvmNetwork } from '../chains/evm/network.ts';
import { AppError, notFound } from '../lib/errors.ts';
import { formatToken, MICRO_DECIMALS, MICRO_PER_CENT, rescaleUp } from '../lib/money.ts';
import { isToken } from '../ports/assets.ts';
import type { Token } from '../ports/chain.ts';
import { findWithdrawal } from '../withdrawals/queries.ts';
import { netMinor, type Withdrawal } from '../withdrawals/withdrawal.ts';
import { confirmationsOf } from './confirmations.ts';
import { findOwed, findPlayMoney, parseAmount } from './play-money.ts';
import type { Sandbox } from './sandbox.ts';

type Schemas = components['schemas'];

export type PayoutRequest = Schemas['PaySandboxWithdrawalRequest'] & {
  readonly withdrawalId: string;
  readonly merchantId: string;
};

/**
 * Pays an approved withdrawal by a real transfer from the sandbox's payout wallet, of its net amount or the request's
 * amount. First moves the chain's clock up to business time, so that the block is not older than the approval. Throws
 * NOT_FOUND, VALIDATION_ERROR, or CONFLICT when there is nothing to pay out.
 */
export async function sandboxPayOut(sandbox: Sandbox, request: PayoutRequest): Promise<Schemas['SandboxPayout']> {
  const { db, network, chain, clock, faucet } = sandbox;
  const { withdrawalId, merchantId, amount, confirm = true } = request;
  const withdrawal = await findWithdrawal(db, { id: withdrawalId, merchantId });
  if (!withdrawal) throw notFound('withdrawal');
  const to = requireDestination(withdrawal);
  const token = tokenOf(network, withdrawal, request.token);
  const net = rescaleUp(netMinor(withdrawal) * MICRO_PER_CENT, MICRO_DECIMALS, token.decimals);
  const units = amount === undefined ? net : parseAmount(amount, token);
  await chain.setTime(clock.now());
  const { txHash, blockNumber, from } = await faucet.transfer({ token, to, units, patient: true });
  if (confirm) await chain.mine(confirmationsOf(sandbox) - 1);
  return {
    withdrawalId,
    txHash,
    network: network.name,
    token: token.symbol,
    amount: formatToken(units, token.decimals),
    from,
    to,
    block: blockNumber,
  };
}

/** The one that was begun in, where no other one is asked for. */
function tokenOf(network: EvmNetwork, { currency, begunIn }: Withdrawal, asked: string = currency): Token {
  const asset = asked === currency ? findOwed(network, currency, begunIn) : findPlayMoney(network, asked);
  return isToken(asset) ? asset : findPlayMoney(network, asked);
}

function requireDestination({ status, destinationAddress }: Withdrawal): string {
  if (status === 'pending') {
    throw new AppError(
      'CONFLICT',
      'This withdrawal is pending; it is paid after an administrator has approved it. What was sent before would not count.',
    );
  }
  if (status !== 'approved' && status !== 'processing') {
    throw new AppError('CONFLICT', `This withdrawal is ${status}; there is nothing left to pay out.`);
  }
  if (destinationAddress !== null) return destinationAddress;
  throw new AppError(
    'CONFLICT',
    'This withdrawal goes to a bank account, and the platform had no offRampAddress when it was approved: no crypto goes anywhere.',
  );
}
