import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** One call to a node. */
export type Call = { readonly method: string; readonly params: readonly unknown[] };

/**
 * What a proxy makes of a call: nothing (the node's own answer), another answer, a change of the node's answer, another
 * question to the node, or its own answer, but late.
 */
export type Lie =
  | undefined
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } }
  | { readonly change: (result: unknown) => unknown }
  | { readonly ask: Call }
  | { readonly lateMs: number };

/** What a proxy makes of a whole request: nothing, an HTTP answer of its own, or silence. */
export type Outage =
  | undefined
  | { readonly status: number; readonly body?: string; readonly retryAfter?: string }
  | { readonly hangMs: number };

/** A provider in front of a real node that counts calls and lies when told to. */
export type LiarProxy = {
  readonly url: string;
  /** Calls, not requests: a batch counts as many. */
  readonly calls: () => readonly string[];
  readonly forget: () => void;
  /** Replaces what it makes of each call. */
  readonly lie: (lie: (call: Call) => Lie) => void;
  /** Replaces what it makes of each request. */
  readonly fail: (outage: (calls: readonly Call[]) => Outage) => void;
  readonly honest: () => void;
  /** Forwards to another node from now on. */
  readonly turnTo: (target: string) => void;
  readonly close: () => Promise<void>;
};

type Numbered = Call & { readonly id: unknown };
/** As it comes: JSON-RPC lets a call without parameters leave `params` out. */
type Asked = Omit<Numbered, 'params'> & { readonly params?: readonly unknown[] };

/** Starts a proxy on a free port in front of the node at `target`. It tells the truth until told otherwise. */
export async function startLiar(target: string): Promise<LiarProxy> {
  let [to, lie, fail] = [target, (_: Call): Lie => undefined, (_: readonly Call[]): Outage => undefined];
  let calls: string[] = [];
  const answer = async (body: string, response: ServerResponse): Promise<void> => {
    const asked = JSON.parse(body) as Asked | Asked[];
    const all = (Array.isArray(asked) ? asked : [asked]).map((call): Numbered => ({ params: [], ...call }));
    calls.push(...all.map(({ method }) => method));
    const outage = fail(all);
    response.setHeader('content-type', 'application/json');
    if (outage && 'hangMs' in outage) {
      await sleep(outage.hangMs);
      return void response.destroy();
    }
    if (outage) {
      if (outage.retryAfter !== undefined) response.setHeader('retry-after', outage.retryAfter);
      response.statusCode = outage.status;
      return void response.end(outage.body ?? '');
    }
    const answers = await Promise.all(all.map((call) => tell(to, call, lie(call))));
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  };
  const server = createServer((request, response) => {
    void readBody(request)
      .then((body) => answer(body, response))
      .catch(() => response.destroy()); // The node is gone, or the caller is.
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    forget: () => {
      calls = [];
    },
    lie: (next) => {
      lie = next;
    },
    fail: (next) => {
      fail = next;
    },
    honest: () => {
      lie = () => undefined;
      fail = () => undefined;
    },
    turnTo: (next) => {
      to = next;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function tell(to: string, { id, ...call }: Numbered, lie: Lie): Promise<object> {
  const envelope = { jsonrpc: '2.0', id };
  if (lie && ('result' in lie || 'error' in lie)) return { ...envelope, ...lie };
  if (lie && 'lateMs' in lie) await sleep(lie.lateMs);
  const truth = await ask(to, lie && 'ask' in lie ? lie.ask : call);
  if (lie && 'change' in lie && 'result' in truth) return { ...envelope, result: lie.change(truth.result) };
  return { ...envelope, ...truth };
}

type Truth = { readonly result: unknown } | { readonly error: unknown };

async function ask(to: string, { method, params }: Call): Promise<Truth> {
  const { username, password, origin, pathname } = new URL(to);
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const response = await fetch(`${origin}${pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(username !== '' && { authorization }) },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: unknown };
  // A node of Bitcoin says that there was no error.
  return error === undefined || error === null ? { result } : { error };
}
