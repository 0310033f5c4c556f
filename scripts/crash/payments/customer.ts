import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, KasiError, type Payment } from '../../../clients/typescript/src/index.ts';
import type { Faucet } from '../../../src/chains/evm/faucet.ts';
import { parseUnits } from '../../../src/lib/money.ts';
import type { Network } from '../../../src/ports/chain.ts';
import type { BitcoinMarket } from './bitcoin.ts';
import { type PaidIn, type Part, type Plan, unitsOf } from './plan.ts';

/** A payment that a customer requested and paid, whatever happened to the service meanwhile. */
export type Bought = { readonly id: string; readonly plan: Plan };

export type Market = {
  readonly merchant: Client;
  readonly network: Network;
  /** What payments are paid in, in turn. */
  readonly tokens: readonly PaidIn[];
  /** Where BTC is among the tokens. */
  readonly bitcoin?: BitcoinMarket;
  /** Pays on the chain itself, without the service. */
  readonly faucet: Faucet;
  /** Emits `transfer` when a transfer is in a block, or in Bitcoin's pool. */
  readonly bell: EventEmitter;
  /** Resolves when there are no more kills. */
  readonly peace: Promise<void>;
};

const TRY_AGAIN_MS = 100;
const GONE = new Set(['NETWORK_ERROR', 'TIMEOUT', 'SERVICE_UNAVAILABLE']);

/** Whether a request failed because the service is being killed or starts. */
export const isGone = (error: unknown): boolean => error instanceof KasiError && GONE.has(error.code);

/** Requests a payment until it is answered, and pays it as planned. Resolves when the last transfer is on its chain. */
export async function buy(market: Market, plan: Plan): Promise<Bought> {
  await sleep(plan.arriveMs);
  const payment = await ask(market.merchant, plan.cents / 100);
  for (const part of plan.parts) {
    await (part.hesitateMs === 'end' ? market.peace : sleep(part.hesitateMs));
    await pay(market, payment, plan, part);
    market.bell.emit('transfer');
  }
  return { id: payment.id, plan };
}

async function pay(market: Market, payment: Payment, plan: Plan, part: Part): Promise<void> {
  const { network, faucet, bitcoin } = market;
  const option = payment.options.find(({ token }) => token === plan.token);
  if (!option || option.unavailable) throw new Error(`${payment.id} does not offer ${plan.token}`);
  const units = unitsOf(part, parseUnits(option.amount, option.decimals));
  const { address } = option;
  if (plan.token === 'BTC') {
    await bitcoin?.pay({ address, units }, plan);
  } else if (plan.token === 'ETH') {
    await faucet.transferCoin({ to: [{ address, units }], by: part.by });
  } else {
    const token = network.tokens.find(({ symbol }) => symbol === plan.token);
    if (!token) throw new Error(`${network.name} has no ${plan.token}`);
    await faucet.transfer({ token, to: address, units });
  }
}

/** If an answer was lost, the service may have made a payment that no customer knows; the customer requests another. */
async function ask(merchant: Client, amount: number): Promise<Payment> {
  for (;;) {
    try {
      return await merchant.payments.create({ amount, currency: 'USD' });
    } catch (error) {
      if (!isGone(error)) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}
