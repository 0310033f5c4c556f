import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  type Hex,
  http,
  type LocalAccount,
  maxUint256,
  parseAbi,
  parseSignature,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { readContract } from 'viem/actions';
import { foundry } from 'viem/chains';
import { expect } from 'vitest';
import { openReader, waitForReceipt } from '../../src/chains/evm/client.ts';
import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { PERMIT2, TRANSFER_PROXY } from '../../src/chains/evm/permit2-deployment.ts';
import { until } from '../subscriptions/renewal-fixture.ts';
import { type Authorization, authorizationFor, type SignedTransferView } from './relays.ts';
import type { SandboxService, Trader } from './sandbox-service.ts';

/** A token, with ERC-2612. */
export const TOKEN = parseAbi([
  'function approve(address spender, uint256 amount)',
  'function transfer(address to, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);
/** Permit2 and the proxy of x402. */
export const CONTRACTS = parseAbi([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'struct Witness { address to; uint256 validAfter; }',
  'struct EIP2612Permit { uint256 value; uint256 deadline; bytes32 r; bytes32 s; uint8 v; }',
  'function settle(PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function settleWithPermit(EIP2612Permit permit2612, PermitTransferFrom permit, address owner, Witness witness, bytes signature)',
  'function permitTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature)',
  'function permitWitnessTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes32 witness, string witnessTypeString, bytes signature)',
  'function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)',
]);
/** What each of these payments asks for: 25 dollars. */
export const PRICE = 25_000_000n;
/** Somebody with coins who knows everything that was signed. */
export const STRANGER = deriveAccounts(MNEMONIC)(7);
type Choice = Partial<Pick<Authorization, 'token' | 'method'>>;
/** Gives a wallet some of the token; without it the faucet does. */
type Fill = (to: Address, units: bigint) => Promise<unknown>;

/** A wallet with a token and no coin at all, and a payment of 25 dollars. */
export async function openPayer(sandbox: SandboxService, { client, reaches }: Trader, choice: Choice, mint?: Fill) {
  const account = privateKeyToAccount(generatePrivateKey());
  const token = sandbox.network.tokens.find(({ symbol }) => symbol === choice.token)!;
  const contract = token.contract as Address;
  const fill = (units: bigint) =>
    mint ? mint(account.address, units) : sandbox.faucet.transfer({ token, to: account.address, units });
  await fill(PRICE);
  const { payments } = sandbox.client().public;
  const open = () => client.payments.create({ amount: 25, currency: 'USD' });
  const payment = await open();
  const terms = { network: 'devnet', payer: account.address, ...choice } as const;
  const read = (id = payment.id) => payments.signedTransfer(id, terms as never);
  const holds = (of: string = account.address) =>
    readContract(openReader(sandbox.network.rpcUrl), {
      ...{ address: contract, abi: TOKEN, functionName: 'balanceOf', args: [of as Address] },
    });
  return {
    ...{ account, payment, contract, fill, read, holds, open, token: token.symbol },
    /** Approves Permit2, as its owner did once when the wallet had some coin. */
    approve: (amount = maxUint256) => sendPoor(sandbox, account, contract, tokenCall('approve', [PERMIT2, amount])),
    sign: (id = payment.id) => authorizationFor(sandbox.client(), id, account, choice),
    submit: (signed: Authorization, id = payment.id) => payments.authorize(id, signed),
    becomes: (status: SignedTransferView['status']) => until(async () => (await read()).status === status),
    paid: () => reaches(payment.id, 'paid'),
    seen: () => client.payments.get(payment.id),
    isUntouched: async () => expect([await holds(), await holds(payment.cryptoAddress)]).toEqual([PRICE, 0n]),
  };
}

/** Such a wallet, and what it can do. */
export type Payer = Awaited<ReturnType<typeof openPayer>>;

/** A call of a token, encoded. */
export const tokenCall = (functionName: 'approve' | 'transfer', args: readonly [Address, bigint]): Hex =>
  encodeFunctionData({ abi: TOKEN, functionName, args });

/** Sends a call before everything else that waits. */
export const send = (sandbox: SandboxService, by: LocalAccount, to: Address, data: Hex): Promise<Hex> =>
  createWalletClient({ account: by, chain: foundry, transport: http(sandbox.network.rpcUrl) }).sendTransaction({
    ...{ to, data, gas: 300_000n, maxFeePerGas: 90_000_000_000n, maxPriorityFeePerGas: 80_000_000_000n },
  });

/** Gives a wallet just so many coins, in wei. */
export const setCoins = (sandbox: SandboxService, { address }: LocalAccount, wei: string) =>
  sandbox.node.rpc('anvil_setBalance', [address, wei]);

/** The same by a wallet that has coins for this only. */
export async function sendPoor(sandbox: SandboxService, by: LocalAccount, to: Address, data: Hex): Promise<void> {
  await setCoins(sandbox, by, '0xde0b6b3a7640000');
  const hash = await send(sandbox, by, to, data);
  expect(await succeeded(sandbox, hash)).toBe(true);
  await setCoins(sandbox, by, '0x0');
}

const receiptOf = (sandbox: SandboxService, hash: Hex) => waitForReceipt(openReader(sandbox.network.rpcUrl), hash);
/** Whether a transaction went through. */
export const succeeded = async (sandbox: SandboxService, hash: Hex) =>
  (await receiptOf(sandbox, hash)).status === 'success';
/** What the transaction of a relay took. */
export const gasOf = async (sandbox: SandboxService, { transactionHash }: SignedTransferView): Promise<number> =>
  Number((await receiptOf(sandbox, transactionHash as Hex)).gasUsed);

/** Waits until the node has a transaction that no block has: what is `sent` is on its way to it. */
export const untilInPool = (sandbox: SandboxService): Promise<void> =>
  until(async () => (await sandbox.node.rpc<{ pending: string }>('txpool_status', [])).pending !== '0x0');

/** Runs `work` while the chain makes no blocks. */
export async function withoutBlocks(sandbox: SandboxService, work: () => Promise<void>): Promise<void> {
  await sandbox.node.rpc('evm_setAutomine', [false]);
  try {
    await work();
  } finally {
    await sandbox.node.rpc('evm_setAutomine', [true]);
    await sandbox.node.rpc('evm_mine', []);
  }
}

type TypedData = {
  readonly message: {
    readonly permitted: { readonly token: Address; readonly amount: string };
    readonly nonce: string;
    readonly deadline: string;
    readonly spender: Address;
    readonly witness: { readonly to: Address; readonly validAfter: string };
  };
};
/** What was signed for Permit2. */
export const messageOf = ({ typedData }: SignedTransferView) => (typedData as unknown as TypedData).message;

const WITNESS_TYPE =
  'Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)';

/** What a stranger who has seen the signatures may send. */
export function callsOf(payer: Payer, shown: SignedTransferView, { signature, permit }: Authorization) {
  const { permitted, nonce, deadline, witness } = messageOf(shown);
  const terms = {
    permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
    ...{ nonce: BigInt(nonce), deadline: BigInt(deadline) },
  };
  const owner = payer.account.address;
  const to = (address: Address, functionName: string, args: readonly unknown[]) => ({
    address,
    data: encodeFunctionData({ abi: CONTRACTS, functionName, args } as never),
  });
  const bound = { to: witness.to, validAfter: BigInt(witness.validAfter) };
  const parts = permit && parseSignature(permit.signature as Hex);
  const allowance = parts && {
    ...{ value: terms.permitted.amount, deadline: terms.deadline },
    ...{ r: parts.r, s: parts.s, v: Number(parts.v) },
  };
  return {
    settle: (change = {}, witnessed = {}) =>
      to(TRANSFER_PROXY, 'settle', [{ ...terms, ...change }, owner, { ...bound, ...witnessed }, signature]),
    settleWithPermit: () => to(TRANSFER_PROXY, 'settleWithPermit', [allowance, terms, owner, bound, signature]),
    transfer: () =>
      to(PERMIT2, 'permitTransferFrom', [
        terms,
        { to: STRANGER.address, requestedAmount: terms.permitted.amount },
        owner,
        signature,
      ]),
    witnessTransfer: () =>
      to(PERMIT2, 'permitWitnessTransferFrom', [
        terms,
        { to: STRANGER.address, requestedAmount: terms.permitted.amount },
        owner,
        `0x${'00'.repeat(32)}`,
        WITNESS_TYPE,
        signature,
      ]),
    permit: () => ({
      address: payer.contract,
      data: encodeFunctionData({
        abi: TOKEN,
        functionName: 'permit',
        args: [owner, PERMIT2, terms.permitted.amount, terms.deadline, allowance!.v, allowance!.r, allowance!.s],
      }),
    }),
  };
}
