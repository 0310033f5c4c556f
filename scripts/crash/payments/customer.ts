import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, KasiError, type Payment } from '../../../clients/typescript/src/index.ts';
import type { Faucet } from '../../../src/chains/evm/faucet.ts';
import type { Network } from '../../../src/ports/chain.ts';
import type { Plan } from './plan.ts';

/** A payment that a customer requested and paid, whatever happened to the service meanwhile. */
export type Bought = { readonly id: string; readonly plan: Plan };

export type Market = {
  readonly merchant: Client;
  readonly network: Network;
  /** Pays on the chain itself, without the service. */
  readonly faucet: Faucet;
  /** Emits `transfer` when a transfer is in a block. */
  readonly bell: EventEmitter;
  /** Resolves when there are no more kills. */
  readonly peace: Promise<void>;
};

const TRY_AGAIN_MS = 100;
const GONE = new Set(['NETWORK_ERROR', 'TIMEOUT', 'SERVICE_UNAVAILABLE']);

/** Whether a request failed because the service is being killed or starts. */
export const isGone = (error: unknown): boolean => error instanceof KasiError && GONE.has(error.code);

/** Requests a payment until it is answered, and pays it as planned. Resolves when the last transfer is in a block. */
export async function buy(market: Market, plan: Plan): Promise<Bought> {
  await sleep(plan.arriveMs);
  const payment = await ask(market.merchant, plan.amount);
  for (const { token, units, hesitateMs } of plan.parts) {
    await (hesitateMs === 'end' ? market.peace : sleep(hesitateMs));
    const listed = market.network.tokens.find(({ symbol }) => symbol === token);
    if (!listed) throw new Error(`${market.network.name} has no ${token}`);
    await market.faucet.transfer({ token: listed, to: payment.cryptoAddress, units });
    market.bell.emit('transfer');
  }
  return { id: payment.id, plan };
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
