import { type Address, type Hex, keccak256, parseTransaction } from 'viem';
import { type LocalAccount, privateKeyToAccount } from 'viem/accounts';
import type { OperatorAccount, OperatorCall, Signed } from '../../ports/operator.ts';

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
    const bytes = Buffer.from(raw.slice(2), 'hex');
    return { raw: bytes, hash: keccak256(bytes) }; // Of hex viem would read each digit: 30 kB of a hundred charges.
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
