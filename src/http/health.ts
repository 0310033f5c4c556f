import type { FastifyInstance } from 'fastify';
import { operationOf } from './request-log.ts';

/** `detail` says what is wrong. What is not `required` makes a process degraded, which still is ready. */
export type Check = {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string;
  readonly required?: false;
};

/** What a network does at present. It is no condition of readiness: a process serves without it. */
type NetworkDetail = {
  readonly network: string;
  readonly open: boolean;
  readonly watched: boolean;
  readonly detail: string;
};

export type Health = {
  readonly checks: () => Promise<readonly Check[]>;
  readonly networks: () => readonly NetworkDetail[];
  /** Told of each answer, with its operation if there is one. */
  readonly answered: (operation: string, status: number, seconds: number) => void;
};

/** /healthz (the process is alive) and /readyz (it can serve). */
export function registerHealth(app: FastifyInstance, health: Health): void {
  app.addHook('onResponse', (request, reply, done) => {
    health.answered(operationOf(request) ?? 'other', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const checks = await health.checks();
    const ready = checks.every(({ ok, required }) => ok || required === false);
    const isWhole = checks.every(({ ok }) => ok);
    const status = isWhole ? 'ready' : ready ? 'degraded' : 'not_ready';
    return reply.code(ready ? 200 : 503).send({ status, checks, networks: health.networks() });
  });
}
