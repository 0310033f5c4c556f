import type { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, KasiError, type Payment } from '../../../clients/typescript/src/index.ts';
import type { Faucet } from '../../../src/chains/evm/faucet.ts';
import type { Network } from '../../../src/ports/chain.ts';
import type { Plan } from './plan.ts';

/** A payment that somebody asked for and paid for, whatever became of the service meanwhile. */
export type Bought = { readonly id: string; readonly plan: Plan };

export type Market = {
  readonly merchant: Client;
  readonly network: Network;
  /** Pays on the chain itself: it needs no service. */
  readonly faucet: Faucet;
  /** Emits `transfer` when one is in a block. */
  readonly bell: EventEmitter;
  /** Resolves when there will be no more kills. */
  readonly peace: Promise<void>;
};

const TRY_AGAIN_MS = 100;
const GONE = new Set(['NETWORK_ERROR', 'TIMEOUT', 'SERVICE_UNAVAILABLE']);

/** Asks for a payment until there is an answer, and pays it as planned; resolves when its last transfer is in a block. */
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

/** When an answer was lost, the service may have made a payment that nobody knows; another one is asked for. */
async function ask(merchant: Client, amount: number): Promise<Payment> {
  for (;;) {
    try {
      return await merchant.payments.create({ amount, currency: 'USD' });
    } catch (error) {
      if (!(error instanceof KasiError && GONE.has(error.code))) throw error;
      await sleep(TRY_AGAIN_MS);
    }
  }
}
