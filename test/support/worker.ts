import { expect } from 'vitest';

// Runs in every worker. When the runner is killed, its workers would go on with their tests and start servers that
// nothing stops.
if (process.listenerCount('disconnect') === 0) process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// A starting service validates its contract, resolves its references and makes routes of it. A worker starts dozens of
// services with one contract, so it does that once: it was half of a start.
type Parser = { parse: (specification: object, options: object) => Promise<unknown> };
const library = new URL('lib/Parser.js', import.meta.resolve('fastify-openapi-glue')).href;
const { prototype } = ((await import(library)) as { Parser: { prototype: Parser } }).Parser;
const parse = prototype.parse;
if (parse.name !== 'parseOnce') {
  const parsed = new Map<string, Promise<unknown>>();
  prototype.parse = function parseOnce(specification, options) {
    const key = JSON.stringify([specification, options]);
    const routes = parsed.get(key) ?? parse.call(this, specification, options);
    parsed.set(key, routes);
    return routes;
  };
}

// A file that leaves a service running disturbs every file behind it: their fake timers move its jobs, for minutes.
// Only the next one fails for it: a hundred that did would hide which test it was.
const shared = globalThis as { lastTestFile?: string | undefined; isSpoilt?: boolean };
if (!shared.isSpoilt && process.getActiveResourcesInfo().includes('TCPServerWrap')) {
  shared.isSpoilt = true;
  throw new Error(`${shared.lastTestFile ?? 'Something'} left a server running in this worker.`);
}
shared.lastTestFile = expect.getState().testPath;
