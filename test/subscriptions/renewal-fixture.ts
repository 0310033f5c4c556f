import { setTimeout as sleep } from 'node:timers/promises';
import type { Address, Hex } from 'viem';
import { encodeFunctionData, parseAbi } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import { readContract } from 'viem/actions';
import { expect } from 'vitest';
import { createAccountSender } from '../../src/chains/evm/account-sender.ts';
import { openReader } from '../../src/chains/evm/client.ts';
import { encodeRevoke } from '../../src/chains/evm/collector.ts';
import type { SandboxService, Trader } from '../support/sandbox-service.ts';
import { signMandate, TEA_CLUB } from '../support/subscriptions.ts';

const token = parseAbi([
  'function approve(address, uint256)',
  'function transfer(address, uint256)',
  'function balanceOf(address) view returns (uint256)',
]);
const UNLIMITED = 2n ** 256n - 1n;
const WAIT_MS = 15_000;
/** Code of a wallet that accepts every signature (ERC-1271). */
export const AGREES = '0x631626ba7e60e01b60005260206000f3';

type Plan = Partial<Parameters<Trader['client']['plans']['create']>[0]>;

/** Creates a plan and a subscriber who, by default, has given the collector an unlimited allowance and signed. */
export async function openSubscriber(
  sandbox: SandboxService,
  trader: Trader,
  plan: Plan = {},
  { allow = UNLIMITED, sign = true }: { readonly allow?: bigint; readonly sign?: boolean } = {},
) {
  const { client } = trader;
  const wallet = await openWallet(sandbox);
  if (allow > 0n) await wallet.allow(allow);
  const { id: planId } = await client.plans.create({ ...TEA_CLUB, ...plan });
  const { id } = await client.plans.subscribe(planId, {
    customerEmail: 'nimal@example.org',
    customerName: 'Nimal Perera',
    walletAddress: wallet.account.address,
  });
  const read = () => client.subscriptions.get(id);
  const subscriber = {
    id,
    ...wallet,
    read,
    /** Signs what the page asks for, and submits it. */
    sign: async () => {
      const page = await client.public.subscriptions.get(id);
      await client.public.subscriptions.submitMandate(id, { signature: await signMandate(page, wallet.account) });
    },
    revoke: async () => {
      const { mandate_id: mandateId } = await rowOf(sandbox, id);
      await wallet.send(sandbox.network.collector as Address, encodeRevoke(mandateId as Hex));
    },
    charges: async () => (await client.subscriptions.charges.list(id)).data,
    row: () => rowOf(sandbox, id),
    /** Waits for this status of the subscription. */
    reaches: (status: Awaited<ReturnType<typeof read>>['status']) =>
      until(async () => (await read()).status === status),
    /** Waits for this status of a charge. */
    charged: (number: number, status: string) =>
      until(
        async () => {
          const charges = (await client.subscriptions.charges.list(id)).data;
          return charges.find((charge) => charge.number === number)?.status === status;
        },
        async () => JSON.stringify((await client.subscriptions.charges.list(id)).data[0]),
      ),
    /** The types of its events, without their prefix, in order. */
    eventTypes: async () => {
      const rows = await sandbox
        .service()
        .platform.db.selectFrom('events')
        .select('type')
        .where('resource_id', '=', id)
        .orderBy('sequence')
        .execute();
      return rows.map(({ type }) => type.split('.')[1]);
    },
  };
  if (sign) await subscriber.sign();
  return subscriber;
}

const rowOf = (sandbox: SandboxService, id: string) =>
  sandbox.service().platform.db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** A wallet with play money, owned by the test. */
export async function openWallet({ faucet, network }: SandboxService) {
  const funded = await faucet.createWallet();
  const account: LocalAccount = privateKeyToAccount(funded.privateKey as Hex);
  const sender = createAccountSender(openReader(network.rpcUrl), account, network.chainId);
  const usdt = network.tokens.find(({ symbol }) => symbol === 'USDT')!;
  const contract = usdt.contract as Address;
  const send = (to: Address, data: Hex) => sender.send({ to, data, gas: 150_000n });
  const allow = (units: bigint) =>
    send(
      contract,
      encodeFunctionData({ abi: token, functionName: 'approve', args: [network.collector as Address, units] }),
    );
  return {
    account,
    send,
    /** Sets the collector's allowance. */
    allow,
    /** Gives away its balance of the token. */
    empty: async () => {
      const balance = { address: contract, abi: token, functionName: 'balanceOf', args: [account.address] } as const;
      const args = [network.treasury as Address, await readContract(openReader(network.rpcUrl), balance)] as const;
      await send(contract, encodeFunctionData({ abi: token, functionName: 'transfer', args }));
    },
    refill: (units: bigint) => faucet.transfer({ token: usdt, to: account.address, units }),
  };
}

/** Polls until the condition holds; fails when it never does. */
export async function until(check: () => Promise<boolean>, describe?: () => Promise<string>): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!(await check())) {
    if (Date.now() > end) expect.fail(`it never happened${describe ? `: ${await describe()}` : ''}`);
    await sleep(50);
  }
}
