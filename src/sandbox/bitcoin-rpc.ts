import { createJsonRpc, EndpointError } from '../chains/json-rpc.ts';
import { AppError } from '../lib/errors.ts';

/** One call to a Bitcoin node. Rejects with NodeRefusal when it refuses. */
export type BitcoinRpc = <T>(method: string, params?: readonly unknown[]) => Promise<T>;

/** The newest block of a node; `time` in seconds since 1970, as its header says. */
export type BitcoinHead = { readonly height: number; readonly hash: string; readonly time: number };

const CALL_WITHIN_MS = 30_000;

/** What nodes answer to a call that they do not have. */
export const METHOD_NOT_FOUND = -32_601;

/**
 * Calls to the sandbox's Bitcoin node, bcoin or bitcoind, by a URL with user and password. Rejects with
 * SERVICE_UNAVAILABLE when it does not answer in time.
 */
export function createBitcoinRpc(rpcUrl: string, timeoutMs = CALL_WITHIN_MS): BitcoinRpc {
  const { host, username, password } = new URL(rpcUrl);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const authorize = username === '' ? {} : { authorize: () => ({ header: `Basic ${login}` }) };
  const request = createJsonRpc({ url: rpcUrl, name: host, batchMax: 1, timeoutMs, ...authorize });
  return async <T>(method: string, params: readonly unknown[] = []) => {
    try {
      return await request<T>(method, params);
    } catch (cause) {
      if (!(cause instanceof EndpointError)) throw cause;
      throw new AppError(
        'SERVICE_UNAVAILABLE',
        'The Bitcoin node of the sandbox does not answer. Start the sandbox again.',
        { cause },
      );
    }
  };
}

/** The newest block. */
export async function readBitcoinHead(rpc: BitcoinRpc): Promise<BitcoinHead> {
  const hash = await rpc<string>('getbestblockhash');
  const { height, time } = await rpc<{ height: number; time: number }>('getblockheader', [hash]);
  return { height, hash, time };
}
