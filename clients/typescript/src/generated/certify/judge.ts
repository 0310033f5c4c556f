import type { Case, Step } from './cases.ts';

/** The handler's answer to a request, or why there was none. */
export type Reply =
  | { readonly kind: 'answer'; readonly statusCode: number; readonly durationMs: number }
  /** Why no answer came, as a code. */
  | { readonly kind: 'failure'; readonly failure: string; readonly durationMs: number };

export type Grade = 'passed' | 'warning' | 'failed';

/** The result of a step; `advice` is null when there is nothing to change. */
export type Finding = { readonly grade: Grade; readonly observed: string; readonly advice: string | null };

/** A handler that takes longer than this risks a timeout one day. */
const LEISURELY_MS = 5000;

const FAILURES: Readonly<Record<string, { readonly observed: string; readonly advice: string }>> = {
  timeout: {
    observed: 'No answer came in time',
    advice: 'Answer 2xx as soon as the event is stored, and do the work afterwards.',
  },
  connection_failed: {
    observed: 'The connection was refused or closed without an answer',
    advice: 'See that the server runs, can be reached, and answers every request.',
  },
  dns_failed: { observed: 'The name of the host could not be resolved', advice: 'Check the name in the URL.' },
  tls_failed: {
    observed: 'No secure connection came about',
    advice: 'See that the certificate is valid, is for this host, and is sent with its whole chain.',
  },
  blocked_address: {
    observed: 'The address is not public, so nothing was sent',
    advice: 'Use an address that can be reached from the internet.',
  },
};
const OTHER_FAILURE = { observed: 'No answer came', advice: 'See that the server runs and can be reached.' };

/** Grades the reply to one step of a case. */
export function judgeReply(test: Case, step: Step, reply: Reply): Finding {
  const found = step.wanted === 'accept' ? judgeAccepted(step, reply) : judgeRefused(step, reply);
  const general = found.advice;
  const advice = found.grade === 'passed' ? null : general === null ? test.advice : general;
  return { grade: found.grade, observed: describe(reply), advice };
}

type Judged = {
  readonly grade: Grade;
  /** What to change; null stands for the advice of the case. */
  readonly advice: string | null;
};

function judgeAccepted(step: Step, reply: Reply): Judged {
  if (reply.kind === 'failure') return { grade: 'failed', advice: failureOf(reply.failure).advice };
  const { statusCode, durationMs } = reply;
  if (isRedirect(statusCode)) {
    return {
      grade: 'failed',
      advice: 'Redirects are not followed. Set the webhook URL to where the handler really is.',
    };
  }
  if (statusCode >= 500) {
    return { grade: 'failed', advice: 'Your handler, or what stands before it, broke down: its log tells where.' };
  }
  if (statusCode < 200 || statusCode > 299) return { grade: 'failed', advice: null };
  const slow = durationMs - step.dripMs > LEISURELY_MS;
  return slow ? { grade: 'warning', advice: failureOf('timeout').advice } : { grade: 'passed', advice: null };
}

function judgeRefused(step: Step, reply: Reply): Judged {
  if (reply.kind === 'failure') {
    const closed = reply.failure === 'connection_failed';
    // Closing the connection on an oversized body is fine.
    if (closed && step.fillBytes > 0) return { grade: 'passed', advice: null };
    return { grade: closed ? 'warning' : 'failed', advice: 'Refuse it with an answer, 400, and at once.' };
  }
  const { statusCode } = reply;
  if (statusCode >= 200 && statusCode < 300) return { grade: 'failed', advice: null };
  if (statusCode >= 400 && statusCode < 500) return { grade: 'passed', advice: null };
  return {
    grade: 'warning',
    advice: 'It is refused, but as if your server had a fault. Answer 400: the request is what is wrong.',
  };
}

const isRedirect = (statusCode: number): boolean => statusCode >= 300 && statusCode < 400;

const failureOf = (failure: string) => FAILURES[failure] ?? OTHER_FAILURE;

function describe(reply: Reply): string {
  const time = `${Math.round(reply.durationMs)} ms`;
  if (reply.kind === 'failure') return `${failureOf(reply.failure).observed} (${time}).`;
  return `Answered with ${reply.statusCode} after ${time}.`;
}

/** Grades how often a handler has acted on an event. Undefined when the count is right, or doesn't matter. */
export function judgeEffects(test: Case, step: Step, count: number): Finding | undefined {
  if (step.effects === null || count === step.effects) return undefined;
  const observed = `The handler has acted ${count} time${count === 1 ? '' : 's'} on the event instead of ${step.effects}.`;
  const advice =
    step.wanted === 'accept' && count === 0 && step.effects === 1
      ? 'It answered 2xx without doing anything: the event is lost, because it is not sent again.'
      : test.advice;
  return { grade: 'failed', observed, advice };
}

const WEIGHT = { passed: 0, warning: 1, failed: 2 } as const;

/** Combines the findings of a case's steps: the worst grade with its advice, and all observations. */
export function sumUp(findings: readonly Finding[]): Finding {
  const worst = findings.reduce((a, b) => (WEIGHT[b.grade] > WEIGHT[a.grade] ? b : a));
  return { ...worst, observed: findings.map(({ observed }) => observed).join(' ') };
}
