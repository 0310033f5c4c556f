import type { CallOptions, Endpoint } from '../endpoints.ts';
import { EndpointError, NodeRefusal, type RpcRequest } from '../json-rpc.ts';
import { InvalidDataError } from './bytes.ts';
import type { BitcoinNetwork } from './network.ts';

/** Calls to one endpoint, and what is done with answers that are none. */
export type Calls = {
  readonly network: BitcoinNetwork;
  readonly endpoint: Endpoint;
  readonly request: RpcRequest;
  /** For whole blocks, each in a request of its own. */
  readonly requestAlone: RpcRequest;
  readonly getInfo: () => Promise<ChainInfo>;
  /** Says what the endpoint did wrong, and throws. */
  readonly accuse: (what: string) => never;
  /** What a parser makes of an answer in hex; one that it can't read is the endpoint's fault. */
  readonly read: <T>(what: string, hex: unknown, parse: (raw: Buffer) => T) => T;
};

/** What a node says of itself. */
export type ChainInfo = {
  readonly blocks: number;
  readonly headers: number;
  readonly initialblockdownload?: boolean;
  readonly pruneheight?: number | null;
};

/** A block is up to four megabytes, and twice that in hex. */
const BLOCK_TIMEOUT_MS = 30_000;
export const HASH = /^[0-9a-f]{64}$/;

/** Opens calls to one endpoint. They reject as those of `createJsonRpc` do. */
export function openCalls(network: BitcoinNetwork, endpoint: Endpoint, options: CallOptions): Calls {
  const request = endpoint.open(options);
  const accuse = (what: string): never => {
    const message = `${endpoint.name} ${what}`;
    endpoint.blame('contradicts', message);
    throw new EndpointError('contradicts', `${network.name}: ${message}`);
  };
  return {
    ...{ network, endpoint, request, accuse },
    requestAlone: endpoint.open({ timeoutMs: BLOCK_TIMEOUT_MS, ...options, batchMax: 1 }),
    getInfo: () => request<ChainInfo>('getblockchaininfo', []),
    read: (what, hex, parse) => {
      try {
        return parse(Buffer.from(String(hex), 'hex'));
      } catch (error) {
        if (error instanceof InvalidDataError) return accuse(`sends ${what} that is none: ${error.message}`);
        throw error;
      }
    },
  };
}

/** A refusal means that the node does not have it. */
export function orUndefined(error: unknown): undefined {
  if (error instanceof NodeRefusal) return undefined;
  throw error;
}
