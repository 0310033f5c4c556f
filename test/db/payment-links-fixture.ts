import { afterAll, beforeAll } from 'vitest';
import { limitRules } from '../../generated/operations.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { countPaidLinks, paymentLinkJobs } from '../../src/payment-links/jobs.ts';
import type { LinkChange } from '../../src/payment-links/link.ts';
import { createLink, deleteLink, type LinkDraft, startPayment, updateLink } from '../../src/payment-links/service.ts';
import type { PaymentDeps } from '../../src/payments/service.ts';
import type { JobRun } from '../../src/ports/job.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';

/** Somebody whose address nobody else has. */
export const starter = () => {
  people += 1;
  return { ip: `203.0.${Math.floor(people / 250)}.${people % 250}`, real: START, limits: limitRules };
};
let people = 0;

export const later = (minutes: number): Date => new Date(START.getTime() + minutes * 60_000);

/** A merchant's links on a database that lives as long as the test file, and operations on them. */
export function useLinks() {
  let world: PaymentWorld;
  let deps: PaymentDeps;
  beforeAll(async () => {
    world = await createPaymentWorld();
    deps = { ...world.deps, listeners: [countPaidLinks] };
  });
  afterAll(() => world.close());
  return {
    get world() {
      return world;
    },
    get deps() {
      return deps;
    },
    draft: () => draftOf(world.merchantId),
    create: (draft: Partial<LinkDraft> = {}, generate?: () => string) =>
      inTransaction(world.db, (trx) =>
        createLink(trx, deps, { ...draftOf(world.merchantId), ...draft }, START, generate),
      ),
    change: (id: string, to: LinkChange, now = START) =>
      inTransaction(world.db, (trx) => updateLink(trx, deps, { id, merchantId: world.merchantId }, to, now)),
    remove: (id: string, merchantId = world.merchantId) =>
      inTransaction(world.db, (trx) => deleteLink(trx, { id, merchantId }, START)),
    start: (slug: string, now = START) =>
      inTransaction(world.db, (trx) =>
        startPayment(
          trx,
          deps,
          { slug, amount: null, customerEmail: 'payer@example.org', answers: {}, starter: starter() },
          now,
        ),
      ),
    eventsOf: async (id: string) => {
      const events = world.db.selectFrom('events').selectAll().where('resource_id', '=', id).orderBy('sequence');
      return (await events.execute()).map(({ body }) => JSON.parse(body.toString('utf8')));
    },
    runJob: (now: Date) => runJob(world, deps, now),
  };
}

const draftOf = (merchantId: string): LinkDraft => ({
  merchantId,
  title: 'Tea',
  description: 'With cake',
  ...{ amountMinor: 2500n, payerAmount: null, items: null },
  acceptedTokens: ['USDT', 'BTC'],
  slug: null,
  ...{ maxPayments: null, customFields: null, thankYou: null, thankYouUrl: null },
  expiresAt: null,
});

async function runJob(world: PaymentWorld, deps: PaymentDeps, now: Date) {
  const [job] = paymentLinkJobs({
    ...deps,
    db: world.db,
    log: (error) => {
      throw error;
    },
  });
  if (!job) throw new Error('there is no job');
  await job.run({ now, real: now, signal: new AbortController().signal } satisfies JobRun);
  return job;
}
