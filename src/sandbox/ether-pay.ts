import type { components } from '../../generated/api.ts';
import { invalidField } from '../lib/errors.ts';
import { formatUnits } from '../lib/money.ts';
import { dueUnitsOf } from '../payments/present.ts';
import type { Payment } from '../payments/types.ts';
import { confirmationsOf } from './confirmations.ts';
import { type PayRequest, requireDue, untilCredited } from './paying.ts';
import { parseAmount } from './play-money.ts';
import type { Sandbox } from './sandbox.ts';

/**
 * `sandboxPay` in the coin of the EVM network. Throws VALIDATION_ERROR for a payment that does not offer it: no log
 * tells of coins, so nobody would see them.
 */
export async function payInEther(
  sandbox: Sandbox,
  payment: Payment,
  { amount, confirm = true }: PayRequest,
): Promise<components['schemas']['SandboxTransfer']> {
  const { network, faucet } = sandbox;
  const { native } = network;
  const option = payment.options.find(({ token, network: name }) => token === native?.symbol && name === network.name);
  if (native === undefined || option === undefined)
    throw invalidField('token', `this payment does not offer ${native?.symbol ?? 'a coin'}, so nobody would see it`);
  const units = amount === undefined ? dueUnitsOf(payment, option, requireDue(payment)) : parseAmount(amount, native);
  const to = option.address;
  const sent = await faucet.transferCoin({ to: [{ address: to, units }], by: 'account', patient: !confirm });
  if (confirm) await sandbox.chain.mine(confirmationsOf(sandbox) - 1);
  await untilCredited(sandbox, payment.id, sent.txHash, confirm);
  return {
    ...{ paymentId: payment.id, txHash: sent.txHash, network: network.name, token: native.symbol },
    ...{ amount: formatUnits(units, native.decimals), from: sent.from, to, block: sent.blockNumber },
  };
}
