import { type Address, BaseError, encodeDeployData, getAddress, type Hex, isAddressEqual, pad, zeroHash } from 'viem';
import { call, getChainId, getCode, readContract, writeContract } from 'viem/actions';
import { subscriptionCollector } from '../../../generated/contracts.ts';
import { isUnanswered, type Reader, type Sender, waitForReceipt } from './client.ts';
import { collectorDomain, encodeRevoke } from './collector.ts';
import { readCollector } from './collector-reader.ts';
import { deterministicAddress } from './deploy.ts';

/** A collector's first roles. The treasury stays; owner and operator can hand over. */
export type CollectorRoles = { readonly treasury: Address; readonly owner: Address; readonly operator: Address };

/** Init code of the subscription collector. */
export const collectorInitCode = ({ treasury, owner, operator }: CollectorRoles): Hex =>
  encodeDeployData({
    abi: subscriptionCollector.abi,
    bytecode: subscriptionCollector.bytecode,
    args: [treasury, owner, operator],
  });

/** The address of the collector with these first roles on every EVM chain, checksummed. */
export const collectorAddress = (roles: CollectorRoles): Address => deterministicAddress(collectorInitCode(roles));

/** Init code that leaves its own address, as a word, in place of the contract's code. */
const WHERE_AM_I = '0x305f5260205ff3';
/** Stands in for owner and operator: neither is part of the code. */
const ANY_ACCOUNT: Address = '0x0000000000000000000000000000000000000001';

/** What a network's file says of its collector. `first`: its roles when it was deployed, where they are others now. */
export type CollectorClaim = Omit<CollectorRoles, 'owner'> & {
  readonly first?: Pick<CollectorRoles, 'owner' | 'operator'> | undefined;
};

/**
 * Throws one sentence with the cure unless `collector` is, byte for byte, our subscription collector with this treasury
 * and this operator, its owner another account, its past ours and its chain able to run it. Call it at every start,
 * before asking for mandates. See decisions chains/evm/collector-compared-at-start and chains/evm/address-proves-past.
 */
export async function checkCollector(
  reader: Reader,
  collector: Address,
  { treasury, operator, first }: CollectorClaim,
): Promise<void> {
  const found = await getCode(reader, { address: collector });
  if (found === undefined || found === '0x') {
    throw new Error(
      `There is no subscription collector at ${collector}; run "npx kasi contracts deploy" for this network first.`,
    );
  }
  if (found !== (await expectedCode(reader, collector, treasury))) {
    const actual = await readTreasury(reader, collector);
    throw new Error(
      actual !== undefined && !isAddressEqual(actual, treasury)
        ? `The subscription collector at ${collector} pays ${actual}, not the configured treasury ${treasury}.`
        : `What stands at ${collector} is not this version's subscription collector; run "npx kasi contracts deploy".`,
    );
  }
  const roles = await readCollector(reader, collector);
  if (!isAddressEqual(roles.operator, operator)) {
    throw new Error(
      `The operator of the subscription collector at ${collector} is ${roles.operator}, and OPERATOR_KEY is the key of ${operator}; let the owner propose that one, and run "npx kasi contracts deploy" with its key.`,
    );
  }
  if (isAddressEqual(roles.owner, operator)) {
    throw new Error(
      `Owner and operator of the subscription collector at ${collector} are one account; hand the ownership to a key that is on no server.`,
    );
  }
  const deployed = { treasury, owner: first?.owner ?? roles.owner, operator: first?.operator ?? roles.operator };
  if (!isAddressEqual(collectorAddress(deployed), collector)) {
    throw new Error(
      `The subscription collector at ${collector} is not where "npx kasi contracts deploy" puts that of owner ${deployed.owner} and operator ${deployed.operator}, so nobody knows its past. If one of them was replaced, name the first two as "collectorRoles" of the network; else deploy a new one.`,
    );
  }
  await requireTransientStorage(reader, collector);
}

/** A call that changes nothing, for nobody. Its guard needs what chains have since Cancun (EIP-1153). */
async function requireTransientStorage(reader: Reader, collector: Address): Promise<void> {
  try {
    await call(reader, { to: collector, data: encodeRevoke(zeroHash) });
  } catch (error) {
    if (!(error instanceof BaseError) || isUnanswered(error)) throw error;
    throw new Error(
      `The chain cannot run the subscription collector at ${collector}: it lacks the transient storage of Cancun (EIP-1153), so mandates would only burn gas. Remove the collector from the network.`,
    );
  }
}

/**
 * The code that our init code would leave at `collector`. A call without a recipient runs it and returns that code, but
 * for an address of the node's choosing. The code contains its own address and domain separator, so both are replaced.
 */
async function expectedCode(reader: Reader, collector: Address, treasury: Address): Promise<Hex | undefined> {
  const data = collectorInitCode({ treasury, owner: ANY_ACCOUNT, operator: ANY_ACCOUNT });
  const [chainId, made, place] = await Promise.all([
    getChainId(reader),
    call(reader, { data }),
    call(reader, { data: WHERE_AM_I }),
  ]);
  if (made.data === undefined || place.data === undefined) return undefined;
  const there = getAddress(`0x${place.data.slice(-40)}`);
  const domain = (at: Address): string => collectorDomain({ collector: at, chainId }).slice(2);
  return made.data
    .replaceAll(place.data.slice(2), pad(collector).slice(2).toLowerCase())
    .replaceAll(domain(there), domain(collector)) as Hex;
}

async function readTreasury(reader: Reader, address: Address): Promise<Address | undefined> {
  try {
    return await readContract(reader, { address, abi: subscriptionCollector.abi, functionName: 'TREASURY' });
  } catch {
    return undefined; // Another contract is there; the caller says so.
  }
}

/** The account that the owner has proposed takes over as operator. Throws when it was not proposed. */
export async function acceptOperator(sender: Sender, collector: Address): Promise<void> {
  const request = { account: sender.account, address: collector, abi: subscriptionCollector.abi } as const;
  const hash = await writeContract(sender, { ...request, chain: null, functionName: 'acceptOperator' });
  const { status } = await waitForReceipt(sender, hash);
  if (status !== 'success') throw new Error(`Transaction ${hash} reverted; the operator is still the old one.`);
}
