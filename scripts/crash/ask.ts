import { setTimeout as sleep } from 'node:timers/promises';

/** An answer, reduced to what can be compared. */
export type Answer = { readonly status: number; readonly text: string; readonly replayed: boolean };

/** Where requests go, and with whose credentials. */
export type Desk = {
  readonly baseUrl: string;
  readonly token: () => string;
  /** Called before a request is sent. */
  readonly onSend: () => void;
};

export type Request = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The idempotency key of a POST. */
  readonly key?: string;
  readonly body?: object;
};

const ANSWER_WITHIN_MS = 5_000;
const TRY_AGAIN_MS = 50;

/** Repeats a request unchanged until its answer is not "try again". Refusals count as answers. */
export async function askUntilAnswered(desk: Desk, request: Request): Promise<Answer> {
  for (;;) {
    const answer = await send(desk, request).catch(() => undefined); // The service is down, or went down.
    if (answer && !isPassing(answer)) return answer;
    await sleep(TRY_AGAIN_MS);
  }
}

async function send(desk: Desk, { method, path, key, body }: Request): Promise<Answer> {
  desk.onSend();
  const response = await fetch(`${desk.baseUrl}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${desk.token()}`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  const text = await response.text();
  return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') === 'true' };
}

/** Access tokens expire within minutes; another part of the campaign renews them. */
const isPassing = ({ status, text }: Answer): boolean =>
  status === 503 || (status === 409 && text.includes('IDEMPOTENCY_IN_PROGRESS')) || text.includes('token_expired');
