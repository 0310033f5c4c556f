import { getAddress, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect } from 'vitest';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { KINDS } from '../../src/kinds.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { type Desk, openDesk, type Step, together, transfer } from '../chains/payout-fixture.ts';
import { startService } from '../harness.ts';
import { recordLists } from './payouts.ts';
import { createScriptedChain } from './scripted-chain.ts';
import { fund, WALLET } from './withdrawals.ts';

/** The chain is asked about payouts, and any wallet may send them. */
export const ASKED = { verifyPayoutOnChain: true, withdrawalMaxOpen: 100, fourEyesThreshold: null, payoutWallets: [] };
/** The places of logs begin here. */
export const LOGS = 2 ** 30;

export const newWallet = () => privateKeyToAddress(generatePrivateKey());

type Opened = Awaited<ReturnType<typeof open>>;

/**
 * A service for a file of tests, with the steps that its tests share. Payouts are sent on a real chain, payments arrive
 * on a scripted one. `networkOf` gives the service's settings of the real chain. At its end the books have to agree.
 */
export function payoutsOnChain(networkOf: (desk: Desk) => EvmNetwork | Promise<EvmNetwork> = ({ network }) => network) {
  let made: Opened | undefined;
  const opened = (): Opened => {
    if (made === undefined) throw new Error('the file has not begun');
    return made;
  };
  beforeAll(async () => {
    made = await open(networkOf);
  });
  afterAll(async () => {
    const { desk, service } = opened();
    const { findings } = await reconcile(service.db);
    await service.close();
    await desk.close();
    expect(findings).toEqual([]);
  });
  return { opened, ...actionsOn(opened) };
}

async function open(networkOf: (desk: Desk) => EvmNetwork | Promise<EvmNetwork>) {
  const desk = await openDesk();
  const network = await networkOf(desk);
  const service = await startService({ composed: { kinds: KINDS, networks: [network] }, settings: ASKED });
  const arrivals = await createScriptedChain(service.db, service.clock, desk.network);
  const merchant = await service.activeMerchant();
  await fund(service.db, merchant.id, 1_000_000n);
  const admin = await service.admin();
  await recordLists(service, desk, desk.network.tokens);
  return { desk, service, arrivals, merchant, admin };
}

function actionsOn(opened: () => Opened) {
  const complete = (txHash: Hex, ...payoutIds: string[]) =>
    opened().admin.client.payouts.complete({ txHash, payoutIds });
  return {
    complete,
    /** An approved withdrawal of so many dollars. */
    approved: async (destinationAddress: string = WALLET, dollars = 10): Promise<string> => {
      const { merchant, admin } = opened();
      const { id } = await merchant.client.withdrawals.create({
        ...{ amount: dollars + 1, method: 'crypto', currency: 'USDT', destinationAddress },
      });
      await admin.client.withdrawals.approve(id, {});
      return id;
    },
    /** One transaction of all these steps, in a block. */
    paid: async (...steps: readonly Step[]): Promise<Hex> => {
      const { desk } = opened();
      const txHash = await desk.pay(together(desk.puppet, steps));
      await desk.mine(1);
      return txHash;
    },
    send: (to: string, units: bigint) => transfer(opened().desk.usdt, getAddress(to), units),
    /** What completing says while no chain is asked. */
    askedNothing: async (txHash: Hex, ...payoutIds: string[]) => {
      const { service } = opened();
      await service.set({ ...ASKED, verifyPayoutOnChain: false });
      const answer = await complete(txHash, ...payoutIds);
      await service.set(ASKED);
      return answer;
    },
    fail: (id: string) => opened().admin.client.withdrawals.fail(id, { reason: 'Not sent.' }),
    /** Which payouts have which places of a transaction, in their order. */
    takenOf: async (txHash: Hex) => {
      const rows = opened().service.db.selectFrom('payout_transfers').selectAll().where('tx_hash', '=', txHash);
      return (await rows.orderBy('transfer_index').execute()).map(
        (row) => [row.transfer_index, row.payout_id] as const,
      );
    },
  };
}
