import { type Address, BaseError, encodeFunctionData, erc20Abi } from 'viem';
import { call } from 'viem/actions';
import { isUnanswered, type Reader } from './client.ts';

/** Anybody: what a token refuses to send here, it sends to nobody in this way. */
const ANYBODY: Address = '0x000000000000000000000000000000000000bEEF';
const ONE_WEI = 1n;

/** A deposit factory and the account that all deposits go to. */
type Destination = { readonly factory: Address; readonly treasury: Address };

/**
 * Throws one sentence with the cure when the treasury cannot take what deposit addresses would send it: a token refuses
 * it (a blocklist, say), or it is a contract that takes no ether. Call it before an address is shown to a payer,
 * because the treasury of an address never changes. See decision chains/evm/treasury-is-probed.
 */
export async function checkTreasury(
  reader: Reader,
  { factory, treasury }: Destination,
  tokens: readonly { readonly symbol: string; readonly contract: string }[],
): Promise<void> {
  for (const { symbol, contract } of tokens) {
    const refuses = (to: Address) =>
      isRefused(reader, { account: factory, to: contract as Address, data: nothingTo(to) });
    // A token that refuses to send nothing at all says nothing of the treasury.
    if (!(await refuses(treasury)) || (await refuses(ANYBODY))) continue;
    throw new Error(
      `The token ${symbol} at ${contract} refuses transfers to the treasury ${treasury}, so deposits would be stuck; have its issuer unblock that account, or configure another treasury with a factory of its own.`,
    );
  }
  const stateOverride = [{ address: factory, balance: ONE_WEI }];
  if (await isRefused(reader, { account: factory, to: treasury, value: ONE_WEI, stateOverride })) {
    throw new Error(
      `The treasury ${treasury} takes no ether on this chain, so what payers send by mistake would be stuck; configure an account that does, with a factory of its own.`,
    );
  }
}

const nothingTo = (to: Address) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 0n] });

/** A node's words for a call that the chain itself would not carry out. */
const REVERTED = /revert|invalid (opcode|jump)|out of gas|EVM error/i;

/**
 * Whether the chain would refuse this call now. A node that can't try it, because it knows no state overrides, say,
 * proves nothing. Rejects when the node does not answer.
 */
async function isRefused(reader: Reader, wanted: Parameters<typeof call>[1]): Promise<boolean> {
  try {
    await call(reader, wanted);
    return false;
  } catch (error) {
    if (!(error instanceof BaseError) || isUnanswered(error)) throw error;
    return REVERTED.test(`${error.shortMessage} ${error.details}`);
  }
}
