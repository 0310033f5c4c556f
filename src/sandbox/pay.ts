import type { components } from '../../generated/api.ts';
import { invalidField } from '../lib/errors.ts';
import { formatToken, MICRO_DECIMALS, rescaleUp } from '../lib/money.ts';
import { chosenOption } from '../payments/present.ts';
import { getPayment } from '../payments/queries.ts';
import type { Payment } from '../payments/types.ts';
import type { Token } from '../ports/chain.ts';
import { payInBitcoins } from './bitcoin-pay.ts';
import { confirmationsOf } from './confirmations.ts';
import { payInEther } from './ether-pay.ts';
import { type PayRequest, requireDue, untilCredited } from './paying.ts';
import { findPlayMoney, parseAmount } from './play-money.ts';
import type { Sandbox } from './sandbox.ts';

type Schemas = components['schemas'];

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
  if (isInBitcoins(sandbox, payment, request)) return payInBitcoins(sandbox, payment, request);
  if (isInEther(sandbox, payment, request)) return payInEther(sandbox, payment, request);
  const token = tokenOf(sandbox, payment, request);
  const to = addressOn(sandbox, payment);
  const due = (): bigint => rescaleUp(requireDue(payment), MICRO_DECIMALS, token.decimals);
  const units = amount === undefined ? due() : parseAmount(amount, token);
  const { txHash, blockNumber, from } = await sandbox.faucet.transfer({ token, to, units, patient: !confirm });
  if (confirm) await sandbox.chain.mine(confirmationsOf(sandbox) - 1);
  await untilCredited(sandbox, paymentId, txHash, confirm);
  return {
    paymentId,
    txHash,
    network: sandbox.network.name,
    token: token.symbol,
    amount: formatToken(units, token.decimals),
    from,
    to,
    block: blockNumber,
  };
}

/** By the request's token or network, or else the payment's choice. */
function isInBitcoins({ bitcoin }: Sandbox, payment: Payment, { token, network }: PayRequest): boolean {
  if (bitcoin === null) return false;
  if (network !== undefined) return network === bitcoin.network.name;
  return (token ?? chosenOption(payment).token) === bitcoin.network.native.symbol;
}

function isInEther({ network }: Sandbox, payment: Payment, request: PayRequest): boolean {
  if (request.network !== undefined && request.network !== network.name) return false;
  return (request.token ?? chosenOption(payment).token) === network.native?.symbol;
}

function tokenOf({ network, bitcoin }: Sandbox, payment: Payment, request: PayRequest): Token {
  if (request.network !== undefined && request.network !== network.name) {
    const names = [network, ...(bitcoin ? [bitcoin.network] : [])].map(({ name }) => name).join(' or ');
    throw invalidField('network', `must be ${names}: this sandbox has no other network`);
  }
  return findPlayMoney(network, request.token ?? chosenOption(payment).token);
}

/** The address on the EVM network, on which payers also send tokens that the payment does not offer. */
function addressOn({ network }: Sandbox, payment: Payment): string {
  const option = payment.options.find((each) => each.network === network.name);
  if (option) return option.address;
  throw invalidField('token', `this payment has no address on ${network.name}: it takes nothing there`);
}
