import { CASES, type Case, EVENTS, type EventDraft, type Role, type Step } from './cases.ts';
import { type Finding, judgeEffects, judgeReply, type Reply, sumUp } from './judge.ts';

/** An event made for the suite, with the exact text that is sent. */
export type SuiteEvent = EventDraft & { readonly id: string; readonly paymentId: string; readonly body: string };

export type Check = {
  readonly name: string;
  readonly title: string;
  readonly status: 'pending' | 'passed' | 'warning' | 'failed' | 'skipped';
  readonly expected: string;
  /** What the handler did; null before the case was played. */
  readonly observed: string | null;
  /** What to change; null when there is nothing to change. */
  readonly advice: string | null;
};

export type SuiteRequest = {
  readonly event: SuiteEvent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long the body should take to arrive; 0 sends it at once. */
  readonly dripMs: number;
  readonly timeoutMs: number;
};

/** How the suite's events are made, signed and sent: the service and the client each bring their own. */
export type Player = {
  readonly makeEvent: (draft: EventDraft) => SuiteEvent;
  /**
   * The Standard Webhooks headers for a body, signed `ageSeconds` ago with the key that the handler knows, or with an
   * unknown one.
   */
  readonly sign: (id: string, body: string, ageSeconds: number, key: 'genuine' | 'foreign') => Record<string, string>;
  /** Sends once, without following redirects; never throws. */
  readonly send: (request: SuiteRequest) => Promise<Reply>;
  /** Monotonic milliseconds. */
  readonly elapsedMs: () => number;
  /** How often the handler has acted on an event, if that can be known. */
  readonly countEffects?: ((event: SuiteEvent) => number | Promise<number>) | undefined;
  /** Called after every check, with all of them. */
  readonly onProgress: (checks: readonly Check[]) => void | Promise<void>;
  /** When aborted, nothing more is sent. */
  readonly signal: AbortSignal;
};

/** The time for one answer, as for every webhook. */
const TIMEOUT_MS = 15_000;
/** The time for the whole suite. */
const BUDGET_MS = 58_000;
/** No handler could answer in less than this. */
const LEAST_MS = 1000;

const FIRST = 'It was not tried, because the handler has to take a genuine event first.';
const LATE = 'There was no time left: the checks before it took too long.';

const describe = ({ name, title, expected }: Case) => ({ name, title, expected });

/** All checks, before any case is played. */
export const pendingChecks = (): Check[] =>
  CASES.map((test) => ({ ...describe(test), status: 'pending', observed: null, advice: null }));

/**
 * Plays every case in turn, within a minute, and returns all checks; after an abort the rest stay pending. A handler
 * that doesn't accept the first event gets no others, so a server that is not a webhook handler at all is called only
 * once.
 */
export async function playSuite(player: Player): Promise<Check[]> {
  const events = new Map(EVENTS.map((draft) => [draft.role, player.makeEvent(draft)]));
  const startMs = player.elapsedMs();
  const checks = pendingChecks();
  for (const [index, test] of CASES.entries()) {
    const leftMs = (): number => startMs + BUDGET_MS - player.elapsedMs();
    const skip = checks[0]?.status === 'failed' ? FIRST : leftMs() < leastMs(test) ? LATE : null;
    const found = skip === null ? await playCase(player, test, events, leftMs) : null;
    if (player.signal.aborted) return checks;
    checks[index] = { ...describe(test), ...(found ? presentFinding(player, test, found) : skipped(skip)) };
    await player.onProgress(checks);
  }
  return checks;
}

/** The least time in which a handler could answer the case. */
const leastMs = ({ steps }: Case): number => Math.max(...steps.map(({ dripMs }) => dripMs)) + LEAST_MS;

/** Warnings don't fail the suite; skipped and pending cases do. */
export const verdictOf = (checks: readonly Check[]): 'passed' | 'failed' =>
  checks.every(({ status }) => status === 'passed' || status === 'warning') ? 'passed' : 'failed';

const skipped = (observed: string | null) => ({ status: 'skipped', observed, advice: null }) as const;

function presentFinding(player: Player, test: Case, { grade, observed, advice }: Finding) {
  const unseen = test.unseen !== undefined && grade !== 'failed' && !player.countEffects ? ` ${test.unseen}` : '';
  return { status: grade, observed: `${observed}${unseen}`, advice };
}

async function playCase(
  player: Player,
  test: Case,
  events: ReadonlyMap<Role, SuiteEvent>,
  leftMs: () => number,
): Promise<Finding> {
  const findings: Finding[] = [];
  for (const step of test.steps) {
    if (player.signal.aborted) break;
    const event = events.get(step.event) as SuiteEvent;
    const timeoutMs = Math.max(LEAST_MS, Math.min(TIMEOUT_MS, leftMs()));
    const reply = await player.send(requestOf(player, step, event, timeoutMs));
    findings.push(judgeReply(test, step, reply));
    const effects = player.countEffects ? judgeEffects(test, step, await player.countEffects(event)) : undefined;
    if (effects) findings.push(effects);
  }
  return sumUp(findings.length > 0 ? findings : [{ grade: 'failed', observed: '', advice: null }]);
}

function requestOf(player: Player, step: Step, event: SuiteEvent, timeoutMs: number): SuiteRequest {
  const body = filled(event.body, step.fillBytes);
  const signed = player.sign(event.id, body, step.ageSeconds, step.signature === 'foreign' ? 'foreign' : 'genuine');
  const kept = Object.entries(signed).filter(([name]) => step.signature !== 'none' || name !== 'webhook-signature');
  return { event, headers: Object.fromEntries(kept), body, dripMs: step.dripMs, timeoutMs };
}

/** A JSON object, padded with another field to `bytes`. */
function filled(body: string, bytes: number): string {
  if (body.length >= bytes) return body;
  const open = `${body.slice(0, -1)},"padding":"`;
  return `${open}${'x'.repeat(bytes - open.length - 2)}"}`;
}

/** How many pieces a dripping body is sent in. */
const PIECES = 25;

/** How time passes, in milliseconds. */
type Pace = { readonly sleep: (ms: number) => Promise<unknown>; readonly elapsedMs: Player['elapsedMs'] };

/**
 * A body in pieces that take `dripMs` together; the first one comes at once. What comes late delays no other: the
 * handler is judged by how long all of it took.
 */
export async function* drip(body: Uint8Array, dripMs: number, pace: Pace): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / PIECES));
  const startMs = pace.elapsedMs();
  for (let start = 0; start < body.length; start += size) {
    const dueMs = startMs + (start / size) * (dripMs / (PIECES - 1));
    const early = dueMs - pace.elapsedMs();
    if (early > 0) await pace.sleep(early);
    yield body.subarray(start, start + size);
  }
}
