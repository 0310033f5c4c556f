import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, type Clock, monotonicMs, SECOND_MS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { type SigningKey, signatureHeaders, signingKey } from '../../lib/standard-webhooks.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { type SimulationDeps, simulatePayment } from '../simulated.ts';
import type { EventDraft } from './cases.ts';
import type { Reply } from './judge.ts';
import { drip, type Player, type SuiteRequest } from './play.ts';
import type { ClaimedRun } from './queries.ts';

export type EndpointDeps = SimulationDeps & {
  readonly outbound: Outbound;
  readonly clock: Clock;
  readonly livemode: boolean;
};

/** Plays the suite at a merchant's endpoint, with the same SSRF guard and the same keys as every delivery. */
export function playAtEndpoint(
  deps: EndpointDeps,
  run: ClaimedRun,
  keys: readonly SigningKey[],
): Pick<Player, 'makeEvent' | 'sign' | 'send' | 'elapsedMs'> {
  const foreign = signingKey(randomBytes(32));
  return {
    makeEvent: eventMaker(deps, run),
    sign: (id, body, ageSeconds, key) => {
      const seconds = Math.floor(after(deps.clock.real(), -ageSeconds * SECOND_MS).getTime() / SECOND_MS);
      return signatureHeaders(key === 'genuine' ? keys : [foreign], id, seconds, Buffer.from(body, 'utf8'));
    },
    send: (request) => send(deps.outbound, run.url, request),
    elapsedMs: monotonicMs,
  };
}

/** Makes events of simulated payments. Events about the same payment share its id. */
function eventMaker(deps: EndpointDeps, run: ClaimedRun): Player['makeEvent'] {
  const now = deps.clock.now();
  const payments = new Map<string, ReturnType<typeof simulatePayment>>();
  return (draft) => {
    const payment = payments.get(draft.payment) ?? simulatePayment(deps, now);
    payments.set(draft.payment, payment);
    const id = newId('event', now);
    const { type, sequence } = draft;
    const { merchantId } = run;
    const data = dataOf(payment, draft, run.id);
    const body = JSON.stringify({
      id,
      type,
      timestamp: now.toISOString(),
      livemode: deps.livemode,
      merchantId,
      sequence,
      data,
    });
    return { ...draft, id, paymentId: payment.id, body };
  };
}

function dataOf(payment: ReturnType<typeof simulatePayment>, draft: EventDraft, certification: string) {
  const metadata = { simulated: true, certification };
  if (draft.paymentStatus === 'paid') return { ...payment, metadata };
  return { ...payment, metadata, status: draft.paymentStatus, paidAt: null, confirmations: { seen: 1, required: 2 } };
}

async function send(outbound: Outbound, url: string, request: SuiteRequest): Promise<Reply> {
  const bytes = Buffer.from(request.body, 'utf8');
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Kasi-Webhooks/1',
    'content-length': String(bytes.length),
    ...request.headers,
  };
  const body = request.dripMs > 0 ? drip(bytes, request.dripMs, { sleep, elapsedMs: monotonicMs }) : bytes;
  const result = await outbound.send({ method: 'POST', url, headers, body, timeoutMs: request.timeoutMs });
  const { durationMs } = result;
  return result.kind === 'answer'
    ? { kind: 'answer', statusCode: result.statusCode, durationMs }
    : { kind: 'failure', failure: result.failure, durationMs };
}
