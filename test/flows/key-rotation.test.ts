import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { expect } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { CHECKPOINT_PURPOSE } from '../../src/audit/chain.ts';
import { createIsFormer } from '../../src/audit/first-signed.ts';
import { recordAudit } from '../../src/audit/record.ts';
import { sealAudit } from '../../src/audit/seal.ts';
import { compose, type Service } from '../../src/compose.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { countSealed } from '../../src/deployment/evidence.ts';
import { findDeployment, proveIdentity } from '../../src/deployment/identity.ts';
import { deriveSecret } from '../../src/lib/derive.ts';
import { createKeyRing, keyIdOf } from '../../src/lib/envelope.ts';
import { signingKey } from '../../src/lib/standard-webhooks.ts';
import { type RewrapDeps, rewrapAll, sealedJobs } from '../../src/sealed.ts';
import { test as base } from '../fixture.ts';
import { CHEAP_PASSWORDS, type TestService } from '../harness.ts';
import { contract } from '../support/contract.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { createKey, type TestKey } from '../support/signing.ts';

/** The key of the service of the tests, and the one that follows. */
const [OLD, NEW] = [Buffer.alloc(32, 7), randomBytes(32)];
const ENTRY: Parameters<typeof recordAudit>[1] = {
  ...({ actorType: 'system', actorId: '', origin: null } as const),
  ...{ action: 'merchant.reset_password', resourceId: 'mer_rotated', merchantId: null, metadata: {} },
};
const idOf = (key: Buffer): string => createKeyRing(key).current.id.toString('hex');

const test = base.extend('prepared', { scope: 'file' }, async ({ service, merchant }) => {
  await proveIdentity(service.db, { mode: 'sandbox', id: 'rotating', ring: createKeyRing(OLD) });
  const keys: TestKey[] = [];
  for (let n = 0; n < 5; n += 1) keys.push(await createKey(service, merchant));
  return { keys };
});

type Process = {
  readonly service: Service;
  readonly url: string;
  readonly notes: string[];
  readonly rewrap: () => Promise<void>;
};

/** One more process on the database of the service, with master keys of its own. */
async function startProcess(
  { service, clock }: TestService,
  masterKey: Buffer,
  old: readonly Buffer[],
): Promise<Process> {
  const { config } = service.platform;
  const notes: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void notes.push(line) });
  const world = {
    config: { ...config, masterKeysOld: old },
    ...{ databaseUrl: config.databaseUrl ?? '', networks: [TEST_NETWORK], masterKey, logger, clock },
    passwordCost: CHEAP_PASSWORDS,
  };
  const process = await compose(world, contract, null);
  const job = process.features.jobs.find(({ name }) => name === 'sealed.rewrap');
  const run = { now: clock.now(), real: clock.real(), signal: new AbortController().signal };
  return { service: process, url: await process.start(), notes, rewrap: async () => job?.run(run) };
}

const clientOf = ({ url }: Pick<Process, 'url'>, { apiKey, apiSecret }: TestKey) =>
  createClient({ baseUrl: url, apiKey, apiSecret, maxRetries: 0 });

const order = { amount: 5, currency: 'USD' } as const;

test('a key is rotated under load: both processes go on, and then the former key is not needed', async ({
  service,
  prepared,
}) => {
  const { keys } = prepared;
  const [key] = keys as [TestKey];
  const waiting = await startProcess(service, OLD, [NEW]);
  const ahead = await startProcess(service, NEW, [OLD]);
  await proveIdentity(service.db, { mode: 'sandbox', id: 'rotating', ring: createKeyRing(NEW, [OLD]) });
  const answers = new Map<string, string>();
  let isOver = false;
  const load = async (first: Process, second: Process): Promise<number> => {
    for (let n = 0; ; n += 1) {
      if (isOver && n > 20) return n;
      const idempotencyKey = `${first.url}-${n}`;
      const made = await clientOf(first, key).payments.create(order, { idempotencyKey });
      const again = await clientOf(second, key).payments.create(order, { idempotencyKey });
      expect(again.id).toBe(made.id);
      answers.set(idempotencyKey, made.id);
    }
  };
  const running = Promise.all([load(waiting, ahead), load(ahead, waiting)]);
  for (let n = 0; n < 5; n += 1) {
    // The process that still seals by the former key leaves alone what the other one has wrapped.
    await Promise.all([waiting.rewrap(), ahead.rewrap()]);
    await sleep(50);
  }
  isOver = true;
  await running;
  expect((await countSealed(service.db)).get(idOf(NEW))).toBeGreaterThan(0n);
  expect(waiting.notes.join()).not.toContain('wrapped');
  expect(ahead.notes.join()).toContain('wrapped by the current master key');
  await waiting.service.stop();

  await sealedJobs({ db: service.db, ring: createKeyRing(NEW, [OLD]), note: () => undefined })[0]?.run(runOf(service));
  expect([...(await countSealed(service.db)).keys()]).toEqual([idOf(NEW)]);
  await ahead.service.stop();
  const alone = await startProcess(service, NEW, []);
  for (const each of keys) expect((await clientOf(alone, each).payments.list()).payments.length).toBeGreaterThan(0);
  for (const [idempotencyKey, id] of answers) {
    expect((await clientOf(alone, key).payments.create(order, { idempotencyKey })).id).toBe(id);
  }
  await alone.rewrap();
  expect(alone.notes).toEqual([]);
  await alone.service.stop();
});

test('a late start with the former key first leaves the new one in force, also where a release let it turn back', async ({
  service,
  prepared,
}) => {
  expect(prepared.keys).toHaveLength(5);
  await service.runJob('audit.seal');
  const inForce = async () => keyIdOf((await findDeployment(service.db))?.sealedCanary ?? Buffer.alloc(9));
  const begin = (first: Buffer, second: Buffer, isFormer?: ReturnType<typeof createIsFormer>) => {
    const ring = createKeyRing(first, [second]);
    return proveIdentity(service.db, { mode: 'sandbox', id: 'rotating', ring, ...(isFormer && { isFormer }) });
  };
  const isFormer = createIsFormer([OLD, NEW]);
  await begin(NEW, OLD, isFormer);
  expect(await inForce()).toBe(idOf(NEW));
  await begin(OLD, NEW, isFormer);
  expect(await inForce()).toBe(idOf(NEW));
  await begin(OLD, NEW);
  expect(await inForce()).toBe(idOf(OLD));
  const key = signingKey(deriveSecret(NEW, CHECKPOINT_PURPOSE));
  await inTransaction(service.db, (trx) => recordAudit(trx, ENTRY, service.clock.now()));
  expect(await sealAudit(service.db, key, 100, service.clock.real())).toBeGreaterThan(0);
  await begin(NEW, OLD, isFormer);
  expect(await inForce()).toBe(idOf(NEW));
});

const runOf = ({ clock }: TestService) => ({
  now: clock.now(),
  real: clock.real(),
  signal: new AbortController().signal,
});

test('after a round without finds it rests for an hour, and then finds what a late process has sealed', async ({
  service,
  merchant,
}) => {
  const ring = createKeyRing(NEW, [OLD]);
  await proveIdentity(service.db, { mode: 'sandbox', id: 'rotating', ring });
  let nowMs = 0;
  const noted: number[] = [];
  const note: RewrapDeps['note'] = ({ values }) => void noted.push(values);
  const [job] = sealedJobs({ db: service.db, ring, note, elapsedMs: () => nowMs });
  await job?.run(runOf(service));
  await createKey(service, merchant);
  await job?.run(runOf(service));
  expect((await countSealed(service.db)).get(idOf(OLD))).toBe(1n);
  nowMs += 3_600_001;
  noted.length = 0;
  await job?.run(runOf(service));
  expect(noted).toEqual([1]);
  expect([...(await countSealed(service.db)).keys()]).toEqual([idOf(NEW)]);
});

test('a run ends with its round while a late process goes on to seal by the former key', async ({
  service,
  merchant,
}) => {
  const ring = createKeyRing(NEW, [OLD]);
  await proveIdentity(service.db, { mode: 'sandbox', id: 'rotating', ring });
  await createKey(service, merchant);
  // After each statement of the job, a process that has the former key first wraps back what the job has wrapped.
  const disturbed = service.db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await rewrapAll(service.db, createKeyRing(OLD, [NEW]));
      return result;
    },
  });
  const { ring: wake, lookUp, takeAhead, giveBack } = service.db;
  const db = Object.assign(disturbed, { ring: wake, lookUp, takeAhead, giveBack });
  let elapsed = 0;
  const elapsedMs = () => {
    elapsed += 250;
    return elapsed;
  };
  const noted: number[] = [];
  const [job] = sealedJobs({ db, ring, note: ({ values }) => void noted.push(values), elapsedMs });
  await job?.run(runOf(service));
  expect(noted).toHaveLength(1);
});
