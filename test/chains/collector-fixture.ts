import { type Abi, type Address, encodeFunctionData, type Hex, type TransactionReceipt } from 'viem';
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { readContract } from 'viem/actions';
import { subscriptionCollector, testUsdc, testUsdt } from '../../generated/contracts.ts';
import {
  type Charge,
  encodeAuthorize,
  encodeCollectMany,
  type Mandate,
  mandateId,
  mandateRef,
  mandateTypedData,
} from '../../src/chains/evm/collector.ts';
import { collectorInitCode } from '../../src/chains/evm/collector-deploy.ts';
import { previewCollectMany } from '../../src/chains/evm/collector-reader.ts';
import { deployDeterministic } from '../../src/chains/evm/deploy.ts';
import { createTurns } from '../../src/lib/turns.ts';
import type { CollectReason } from '../../src/ports/collector.ts';
import type { Anvil } from '../support/anvil.ts';
import { deploy, send, type Wallet, walletOf } from '../support/evm.ts';
import { type CollectorEvent, decodeCollectorLog } from './collector-calls.ts';

/** Unlocked accounts of the node, besides the deployer. */
export const OPERATOR: Address = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
export const OWNER: Address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
export const STRANGER: Address = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';

export const HOUR = 3_600;
export const DAY = 24 * HOUR;
export const UNIT = 10n ** 6n;
export const UNLIMITED = 2n ** 256n - 1n;

/** A wallet with its own key; the node sends its transactions without knowing the key. */
export type Payer = { readonly account: PrivateKeyAccount; readonly address: Address; readonly wallet: Wallet };

/** One node with a collector, two tokens, and shorthands for tests. */
export type Collecting = Awaited<ReturnType<typeof openCollector>>;

let made = 0;
/** Far above 1, so that most tests may number their charges as they like. */
const FIRST_NUMBER = 1_000;

/** Deploys a collector on the node, with USDC and the non-standard USDT. No one has the key of `treasury`. */
export async function openCollector(node: Anvil, treasury: Address = privateKeyToAddress(generatePrivateKey())) {
  await node.rpc('anvil_autoImpersonateAccount', [true]);
  const wallet = walletOf(node);
  const [owner, operator] = [walletOf(node, OWNER), walletOf(node, OPERATOR)];
  const roles = { treasury, owner: OWNER, operator: OPERATOR };
  const { address: collector } = await deployDeterministic(wallet, collectorInitCode(roles));
  const [usdc, usdt] = [await deploy(wallet, testUsdc), await deploy(wallet, testUsdt)];
  const place = { collector, chainId: node.chainId };
  const now = async (): Promise<number> =>
    Number((await node.rpc<{ timestamp: Hex }>('eth_getBlockByNumber', ['latest', false])).timestamp);
  /** Sends a call to the collector from any account. */
  const call = (from: Wallet, functionName: string, args: readonly unknown[]) =>
    send(from, { to: collector, data: encode(functionName, args) });
  return {
    ...{ node, wallet, owner, operator, treasury, collector, usdc, usdt, place, now, call, callOf: encode },
    ...payersOf(node, wallet, { collector, usdc }, now),
    authorize: (payer: Payer, mandate: Mandate) =>
      send(payer.wallet, { to: collector, data: encodeAuthorize(mandate) }),
    sign: (payer: Payer, mandate: Mandate, at = place): Promise<Hex> =>
      payer.account.signTypedData(mandateTypedData(at, mandate)),
    collectMany: (charges: readonly Charge[], from: Wallet = operator) =>
      send(from, { to: collector, data: encodeCollectMany(charges) }),
    /** Charges once. The receipt's status tells what became of the charge. */
    collect: async (charge: Charge, from: Wallet = operator): Promise<TransactionReceipt> => {
      const receipt = await send(from, { to: collector, data: encodeCollectMany([charge]) });
      const charged = fateOf(eventsOf(collector, receipt), charge) === 'Ok';
      return { ...receipt, status: charged ? 'success' : 'reverted' };
    },
    preview: (charges: readonly Charge[], from: Address = OPERATOR) =>
      previewCollectMany(wallet, collector, from, charges),
    /** Sets the time of the next block. */
    at: (seconds: number) => node.rpc('evm_setNextBlockTimestamp', [seconds]),
    /** Mines a block with this time. */
    sleepUntil: async (seconds: number): Promise<void> => {
      await node.rpc('evm_setNextBlockTimestamp', [seconds]);
      await node.rpc('evm_mine');
    },
    balance: (token: Address, of: Address): Promise<bigint> =>
      readContract(wallet, { address: token, abi: testUsdc.abi, functionName: 'balanceOf', args: [of] }),
    events: (receipt: TransactionReceipt): CollectorEvent[] => eventsOf(collector, receipt),
    /** The outcome of these charges, according to the batch's events. */
    fates: (receipt: TransactionReceipt, charges: readonly Charge[]): (CollectReason | undefined)[] => {
      const events = eventsOf(collector, receipt);
      return charges.map((charge) => fateOf(events, charge));
    },
  };
}

/** Creates payers and their mandates. */
function payersOf(
  node: Anvil,
  wallet: Wallet,
  { collector, usdc }: { readonly collector: Address; readonly usdc: Address },
  now: () => Promise<number>,
) {
  // The node numbers the transactions of an account as they arrive, and may give two that arrive at once one nonce.
  const inTurn = createTurns();
  return {
    /** A wallet with this much of the token, and this much allowed to the collector. */
    payer: async (token: Address = usdc, balance = 1_000n * UNIT, allowed = UNLIMITED): Promise<Payer> => {
      const account = privateKeyToAccount(generatePrivateKey());
      const { address } = account;
      await node.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000']);
      const payer = { account, address, wallet: walletOf(node, address) };
      if (balance > 0n) await inTurn(() => invoke(wallet, token, 'mint', [address, balance]));
      if (allowed > 0n) await invoke(payer.wallet, token, 'approve', [collector, allowed]);
      return payer;
    },
    /** At most 10 tokens per window of 28 days, the first of which has just begun, with a carry of one window. */
    mandate: async (payer: Payer, change: Partial<Mandate> = {}): Promise<Mandate> => {
      const start = change.start ?? (await now());
      const ref = mandateRef(`sub_test${made++}`, FIRST_NUMBER);
      const usual = { payer: payer.address, token: usdc, maxPerPeriod: 10n * UNIT, period: 28 * DAY, carry: 1, ref };
      return { ...usual, start, end: start + 3_650 * DAY, ...change };
    },
  };
}

const eventsOf = (collector: Address, { logs }: TransactionReceipt): CollectorEvent[] =>
  logs.map((log) => decodeCollectorLog(collector, log as never)).filter((event) => event !== null);

function fateOf(events: readonly CollectorEvent[], { mandate, number }: Charge): CollectReason | undefined {
  const id = mandateId(mandate);
  for (const event of events) {
    if (event.id !== id) continue;
    if (event.kind === 'collected' && event.number === number) return 'Ok';
    if (event.kind === 'failed' && event.number === number) return event.reason;
  }
  return undefined;
}

/** Calls a token, or another contract with these functions. */
export const invoke = (
  wallet: Wallet,
  to: Address,
  functionName: string,
  args: readonly unknown[],
  abi: readonly unknown[] = testUsdc.abi,
) => send(wallet, { to, data: encode(functionName, args, abi) });

/** Calldata of any function of the collector, or of another contract. */
export const encode = (
  functionName: string,
  args: readonly unknown[],
  abi: readonly unknown[] = subscriptionCollector.abi,
): Hex => encodeFunctionData({ abi: abi as Abi, functionName, args });
