import {
  type Address,
  BaseError,
  getAddress,
  type Hex,
  HttpRequestError,
  InternalRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
  UnknownRpcError,
} from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { getChainId } from 'viem/actions';
import { messageOf } from '../../lib/errors.ts';
import { SilentNetworkError } from '../silent-network.ts';
import { checkToken } from './check-token.ts';
import { openNetworkReader, type Reader } from './client.ts';
import { checkCollector } from './collector-deploy.ts';
import { checkFactory } from './deploy.ts';
import { type EvmNetwork, treasuriesOf } from './network.ts';
import { checkPermit2 } from './permit2-deployment.ts';
import { describeFailure } from './rpc.ts';
import { checkTreasury } from './treasury-check.ts';

/**
 * Throws SilentNetworkError while the node does not answer. Throws one sentence, with its cure, unless it serves the
 * configured chain, and has the configured deposit factory with the configured treasury (deposits to any other would be
 * out of reach), the listed tokens with their decimals and symbols and, if one is configured, the subscription
 * collector with the account of `operatorKey` as its operator.
 */
export async function checkNetworkContracts(network: EvmNetwork, operatorKey: string | null): Promise<void> {
  const reader = openNetworkReader(network);
  try {
    const chainId = await getChainId(reader);
    // With several endpoints the watcher skips a wrong one.
    if (chainId !== network.chainId && !network.otherRpcUrls?.length)
      throw new Error(`its node serves chain ${chainId}, not ${network.chainId}: correct the RPC URL.`);
    const treasury = getAddress(network.treasury);
    const factory = getAddress(network.factory);
    await checkFactory(reader, factory, treasury);
    // A former treasury may be blocked by now: that is a reason to succeed it.
    for (const former of network.former ?? []) {
      await checkFactory(reader, getAddress(former.factory), getAddress(former.treasury));
    }
    await checkTreasury(reader, { factory, treasury }, network.tokens);
    for (const token of network.tokens) await checkToken(reader, token);
    if (network.tokens.some(({ permit2 }) => permit2)) await checkPermit2(reader);
    if (network.collector !== null && operatorKey !== null) {
      const operator = privateKeyToAddress(operatorKey as Hex);
      await checkCollectorOf(reader, network, getAddress(network.collector), operator);
    }
  } catch (error) {
    if (isSilence(error)) throw new SilentNetworkError(network.name, describeFailure(error, network), error);
    const reason = error instanceof BaseError ? describeFailure(error, network) : messageOf(error);
    throw new Error(`Network ${network.name}: ${reason}`);
  }
}

/** A collector may go on paying a former treasury, so that the mandates that customers gave to it hold. */
async function checkCollectorOf(reader: Reader, network: EvmNetwork, collector: Address, operator: Address) {
  const { collectorRoles: roles } = network;
  const first = roles && { owner: getAddress(roles.owner), operator: getAddress(roles.operator) };
  const [current, ...former] = treasuriesOf(network).map((treasury) => getAddress(treasury));
  for (const treasury of former) {
    const pays = await checkCollector(reader, collector, { treasury, operator, first }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof BaseError) throw error;
        return false;
      },
    );
    if (pays) return;
  }
  await checkCollector(reader, collector, { treasury: current as Address, operator, first });
}

/** Whether the node said nothing about the chain: it did not answer, is too busy, or answered with something else. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const cause = error.walk((each) => SILENCES.some((silence) => each instanceof silence));
  return cause !== null;
}

const SILENCES = [
  HttpRequestError,
  TimeoutError,
  InternalRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  UnknownRpcError,
];
