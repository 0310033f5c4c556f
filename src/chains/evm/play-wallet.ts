import { type Address, createClient, encodeFunctionData, getAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readContract } from 'viem/actions';
import { testUsdt } from '../../../generated/contracts.ts';
import { createAccountSender } from './account-sender.ts';
import { transportTo } from './client.ts';
import { encodeRevoke } from './collector.ts';
import type { EvmNetwork } from './network.ts';

/** A wallet of a test network whose key we have. It acts as its owner's app would; every call resolves once mined. */
export type PlayWallet = {
  /** Checksummed. */
  readonly address: string;
  /** Its balance of a token at the head, and the allowance of `spender`, in base units. */
  readonly look: (contract: string, spender: string) => Promise<{ readonly units: bigint; readonly allowance: bigint }>;
  /** Sets the allowance of `spender` to `units`. */
  readonly approve: (contract: string, spender: string, units: bigint) => Promise<void>;
  readonly send: (contract: string, to: string, units: bigint) => Promise<void>;
  /** Signs the argument of `eth_signTypedData_v4`. */
  readonly signTypedData: (typedData: object) => Promise<string>;
  /** Revokes a mandate that the collector knows. */
  readonly revoke: (collector: string, mandateId: string) => Promise<void>;
};

const { abi } = testUsdt;
const APPROVE_GAS = 80_000n;
const SEND_GAS = 120_000n;
const REVOKE_GAS = 80_000n;

/** The wallet of a private key, 0x and 64 hexadecimal digits, on a test network. */
export function openPlayWallet(network: EvmNetwork, privateKey: string): PlayWallet {
  const client = createClient({ transport: transportTo(network.rpcUrl) });
  const account = privateKeyToAccount(privateKey as Hex);
  const sender = createAccountSender(client, account, network.chainId);
  const owner = account.address;
  const allowed = (address: Address, spender: Address): Promise<bigint> =>
    readContract(client, { address, abi, functionName: 'allowance', args: [owner, spender] });
  const allow = async (to: Address, spender: Address, units: bigint): Promise<void> => {
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [spender, units] });
    await sender.send({ to, data, gas: APPROVE_GAS });
  };
  return {
    address: owner,
    look: async (contract, spender) => {
      const address = contract as Address;
      const [units, allowance] = await Promise.all([
        readContract(client, { address, abi, functionName: 'balanceOf', args: [owner] }),
        allowed(address, getAddress(spender)),
      ]);
      return { units, allowance };
    },
    approve: async (contract, spender, units) => {
      const [address, to] = [contract as Address, getAddress(spender)];
      const before = await allowed(address, to);
      if (before === units) return;
      // USDT refuses to change an allowance that is not zero.
      if (before > 0n && units > 0n) await allow(address, to, 0n);
      await allow(address, to, units);
    },
    send: async (contract, to, units) => {
      const data = encodeFunctionData({ abi, functionName: 'transfer', args: [getAddress(to), units] });
      await sender.send({ to: contract as Address, data, gas: SEND_GAS });
    },
    signTypedData: (typedData) => account.signTypedData(typedData as never),
    revoke: async (collector, mandateId) => {
      await sender.send({ to: collector as Address, data: encodeRevoke(mandateId as Hex), gas: REVOKE_GAS });
    },
  };
}
