import { type Address, type Hex, keccak256, parseTransaction } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';

/** What a transaction may cost, in wei for each unit of gas (EIP-1559). */
export type Fees = { readonly maxFee: bigint; readonly maxPriorityFee: bigint };

/** A call of a contract that one of our accounts makes. Addresses and bytes are hex. */
export type OperatorCall = {
  readonly chainId: number;
  readonly nonce: number;
  readonly to: string;
  readonly data: string;
  readonly gas: bigint;
  readonly fees: Fees;
};

/** All that a node needs, and the name by which it is found there: the keccak256 of it. */
export type Signed = { readonly raw: Buffer; readonly hash: string };

/** An account whose key this process holds. The key itself can not be read from it. */
export type OperatorAccount = {
  /** Lower-case hex. */
  readonly address: string;
  /** Signs a call; no network is asked. */
  readonly sign: (call: OperatorCall) => Promise<Signed>;
  /** Signs the very same call with other fees, so that at most one of the two can ever be mined. */
  readonly resign: (raw: Buffer, fees: Fees) => Promise<Signed>;
};

/** The account of a private key, 0x and 64 hexadecimal digits. Throws when the key is none. */
export const operatorOfKey = (privateKey: string): OperatorAccount =>
  operatorOf(privateKeyToAccount(privateKey as Hex));

/** The operator that signs with `account`. */
export function operatorOf(account: LocalAccount): OperatorAccount {
  const sign = async ({ chainId, nonce, to, data, gas, fees }: OperatorCall): Promise<Signed> => {
    const raw = await account.signTransaction({
      ...{ type: 'eip1559', chainId, nonce, to: to as Address, data: data as Hex, value: 0n, gas },
      ...{ maxFeePerGas: fees.maxFee, maxPriorityFeePerGas: fees.maxPriorityFee },
    });
    return { raw: Buffer.from(raw.slice(2), 'hex'), hash: keccak256(raw) };
  };
  return {
    address: account.address.toLowerCase(),
    sign,
    resign: (raw, fees) => sign({ ...readCall(raw), fees }),
  };
}

function readCall(raw: Buffer): Omit<OperatorCall, 'fees'> {
  const { chainId, nonce = 0, to, data = '0x', gas } = parseTransaction(`0x${raw.toString('hex')}`);
  if (!to || gas === undefined || chainId === undefined) throw new Error('a kept transaction is none of ours');
  return { chainId, nonce, to, data, gas };
}
