import type { components } from '../../generated/api.ts';
import { AppError, invalidField } from '../lib/errors.ts';
import { formatUnits, MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import { chosenOption, dueMicro } from '../payments/present.ts';
import { getPayment } from '../payments/queries.ts';
import type { Payment } from '../payments/types.ts';
import type { Token } from '../ports/chain.ts';
import { confirmationsOf } from './confirmations.ts';
import { findPlayMoney, parseAmount } from './play-money.ts';
import type { Sandbox } from './sandbox.ts';
import { until } from './sync.ts';

type Schemas = components['schemas'];

export type PayRequest = Schemas['PaySandboxPaymentRequest'] & {
  readonly paymentId: string;
  /** The merchant whose payment it must be; any merchant when absent. */
  readonly merchantId?: string;
};

const CREDITED_WITHIN_MS = 5_000;

/**
 * Pays a payment by a real transfer of the amount due, or of the request's amount, and waits some seconds until the
 * service has seen it and, unless it is to stay unconfirmed, has confirmed it. Also sends tokens that the payment does
 * not offer, as payers do. Of two concurrent calls the second starts when the first is done. Throws NOT_FOUND,
 * VALIDATION_ERROR, or CONFLICT when nothing is due.
 */
export function sandboxPay(sandbox: Sandbox, request: PayRequest): Promise<Schemas['SandboxTransfer']> {
  return sandbox.inTurn(request.paymentId, () => pay(sandbox, request));
}

async function pay(sandbox: Sandbox, request: PayRequest): Promise<Schemas['SandboxTransfer']> {
  const { paymentId, merchantId, amount, confirm = true } = request;
  const payment = await getPayment(sandbox.db, { id: paymentId, ...(merchantId && { merchantId }) });
  const token = tokenOf(sandbox, payment, request);
  const units = amount === undefined ? dueUnits(payment, token) : parseAmount(amount, token);
  const to = chosenOption(payment).address;
  const { txHash, blockNumber, from } = await sandbox.faucet.transfer({ token, to, units, patient: !confirm });
  if (confirm) await sandbox.chain.mine(confirmationsOf(sandbox) - 1);
  await untilCredited(sandbox, paymentId, txHash, confirm);
  return {
    paymentId,
    txHash,
    network: sandbox.network.name,
    token: token.symbol,
    amount: formatUnits(units, token.decimals, token.decimals <= MICRO_DECIMALS),
    from,
    to,
    block: blockNumber,
  };
}

function tokenOf({ network }: Sandbox, payment: Payment, request: PayRequest): Token {
  if (request.network !== undefined && request.network !== network.name) {
    throw invalidField('network', `must be ${network.name}, the only network of this sandbox`);
  }
  return findPlayMoney(network, request.token ?? chosenOption(payment).token);
}

function dueUnits(payment: Payment, token: Token): bigint {
  const due = dueMicro(payment);
  if (due > 0n) return rescaleUp(due, MICRO_DECIMALS, token.decimals);
  throw new AppError('CONFLICT', 'Nothing is due on this payment. Give an amount to pay it all the same.');
}

/** Waits until the transfer is a credit of the payment and applied to it; gives up when no watcher runs. */
async function untilCredited(sandbox: Sandbox, paymentId: string, txHash: string, confirmed: boolean): Promise<void> {
  sandbox.poke?.();
  await until(CREDITED_WITHIN_MS, async () => {
    const credit = await sandbox.db
      .selectFrom('credits')
      .select(['applied_at', 'confirmed_at', 'parked_at'])
      .where('payment_id', '=', paymentId)
      .where('tx_hash', '=', txHash)
      .where('canonical', '=', true)
      .executeTakeFirst();
    if (!credit) return false;
    return credit.parked_at !== null || (credit.applied_at !== null && (!confirmed || credit.confirmed_at !== null));
  });
}
