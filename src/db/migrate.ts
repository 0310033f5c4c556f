import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { type MigrationProvider, Migrator } from 'kysely/migration';
import { StartError } from '../lib/errors.ts';
import { grantRights } from './grants.ts';
import { type Migration, needsTransaction, toFirstStep, toStep, waitForTurn } from './migration-steps.ts';
import * as platform from './migrations/0001-platform.ts';
import * as merchants from './migrations/0002-merchants.ts';
import * as ledger from './migrations/0003-ledger.ts';
import * as chains from './migrations/0004-chains.ts';
import * as payments from './migrations/0005-payments.ts';
import * as events from './migrations/0006-events.ts';
import * as linksAndSessions from './migrations/0007-links-and-sessions.ts';
import * as apiKeys from './migrations/0008-api-keys.ts';
import * as idempotency from './migrations/0009-idempotency.ts';
import * as limits from './migrations/0010-limits.ts';
import * as webhookEndpoints from './migrations/0011-webhook-endpoints.ts';
import * as eventFeed from './migrations/0012-event-feed.ts';
import * as certifications from './migrations/0013-certifications.ts';
import * as admins from './migrations/0014-admins.ts';
import * as withdrawals from './migrations/0015-withdrawals.ts';
import * as auditChain from './migrations/0016-audit-chain.ts';
import * as secondFactor from './migrations/0017-second-factor.ts';
import * as retention from './migrations/0019-retention.ts';
import * as merchantLists from './migrations/0020-merchant-lists.ts';
import * as operator from './migrations/0021-operator.ts';
import * as subscriptions from './migrations/0022-subscriptions.ts';
import * as sandboxWallets from './migrations/0024-sandbox-wallets.ts';
import * as entriesTogether from './migrations/0025-entries-together.ts';
import * as eventsTogether from './migrations/0026-events-together.ts';
import * as unconfirmedCollections from './migrations/0027-unconfirmed-collections.ts';
import * as parkedEvents from './migrations/0028-parked-events.ts';
import * as checksTogether from './migrations/0029-checks-together.ts';
import * as deployment from './migrations/0030-deployment.ts';
import * as secondOpinions from './migrations/0031-second-opinions.ts';
import * as reversedCharges from './migrations/0032-reversed-charges.ts';
import * as treasury from './migrations/0033-treasury.ts';
import * as secondPerson from './migrations/0034-second-person.ts';
import * as loginDevices from './migrations/0035-login-devices.ts';
import * as schemaCompatibility from './migrations/0036-schema-compatibility.ts';
import * as incidentsSeen from './migrations/0037-incidents-seen.ts';
import * as unprovenNetworks from './migrations/0040-unproven-networks.ts';
import * as sweeps from './migrations/0043-sweeps.ts';
import * as guardedChanges from './migrations/0044-guarded-changes.ts';
import * as idleNetworks from './migrations/0045-idle-networks.ts';
import * as payoutsFinal from './migrations/0046-payouts-final.ts';
import * as rescans from './migrations/0048-rescans.ts';
import * as delisted from './migrations/0049-delisted.ts';
import * as prunedPayments from './migrations/0050-pruned-payments.ts';
import * as dearGas from './migrations/0051-dear-gas.ts';
import * as collectorsOfMandates from './migrations/0052-collectors-of-mandates.ts';
import * as tokensOfMandates from './migrations/0054-tokens-of-mandates.ts';
import * as doubtedTransactions from './migrations/0056-doubted-transactions.ts';
import * as indexes from './migrations/0058-indexes.ts';
import * as checksValidated from './migrations/0059-checks-validated.ts';
import * as coins from './migrations/0060-coins.ts';
import * as quotes from './migrations/0061-quotes.ts';
import * as quoteIndexes from './migrations/0062-quote-indexes.ts';
import * as coinSweeps from './migrations/0063-coin-sweeps.ts';
import * as coinIndexes from './migrations/0064-coin-indexes.ts';
import * as pool from './migrations/0065-pool.ts';
import * as poolIndexes from './migrations/0066-pool-indexes.ts';
import * as bitcoinDeposits from './migrations/0069-bitcoin-deposits.ts';
import * as refunds from './migrations/0081-refunds.ts';
import * as returnsValidated from './migrations/0082-returns-validated.ts';
import * as payoutTransfers from './migrations/0083-payout-transfers.ts';
import * as ledgerMonths from './migrations/0084-ledger-months.ts';
import * as refundOffers from './migrations/0085-refund-offers.ts';
import * as paymentListIndexes from './migrations/0086-payment-list-indexes.ts';
import * as merchantContacts from './migrations/0087-merchant-contacts.ts';
import * as payoutsTakenBack from './migrations/0088-payouts-taken-back.ts';
import * as bookedByRate from './migrations/0089-booked-by-rate.ts';
import * as bitcoinDrafts from './migrations/0091-bitcoin-drafts.ts';
import * as payoutsTakenBackIndexes from './migrations/0092-payouts-taken-back-indexes.ts';
import * as relays from './migrations/0093-relays.ts';
import * as operatorFees from './migrations/0094-operator-fees.ts';
import * as linkTerms from './migrations/0095-link-terms.ts';
import * as lineItems from './migrations/0099-line-items.ts';
import * as merchantBrands from './migrations/0100-merchant-brands.ts';
import * as linksThatSell from './migrations/0101-links-that-sell.ts';
import * as linkPlaces from './migrations/0102-link-places.ts';
import * as customers from './migrations/0103-customers.ts';
import * as customerIndexes from './migrations/0104-customer-indexes.ts';
import * as mails from './migrations/0105-mails.ts';
import * as localesValidated from './migrations/0106-locales-validated.ts';
import * as embedOrigins from './migrations/0107-embed-origins.ts';
import * as relayMethods from './migrations/0109-relay-methods.ts';
import * as moreScopes from './migrations/0111-more-scopes.ts';
import * as relayTries from './migrations/0112-relay-tries.ts';
import * as heldBack from './migrations/0113-held-back.ts';
import * as customersLocale from './migrations/0117-customers-locale.ts';
import * as customersLocaleValidated from './migrations/0118-customers-locale-validated.ts';
import * as tallies from './migrations/0119-tallies.ts';
import * as tallyTriggers from './migrations/0120-tally-triggers.ts';
import * as talliesFilled from './migrations/0121-tallies-filled.ts';
import * as tallyIndexes from './migrations/0122-tally-indexes.ts';
import * as listStatistics from './migrations/0123-list-statistics.ts';
import * as sealedTogether from './migrations/0130-sealed-together.ts';
import * as dueIndexes from './migrations/0131-due-indexes.ts';
import * as moreTallies from './migrations/0132-more-tallies.ts';
import * as moreTalliesFilled from './migrations/0133-more-tallies-filled.ts';
import * as sparseListIndexes from './migrations/0134-sparse-list-indexes.ts';
import * as unreadIndexes from './migrations/0135-unread-indexes.ts';
import * as merchantTerms from './migrations/0136-merchant-terms.ts';
import * as sweepIndexes from './migrations/0140-sweep-indexes.ts';
import * as vacuumSoon from './migrations/0141-vacuum-soon.ts';
import * as restores from './migrations/0146-restores.ts';
import * as incidentMails from './migrations/0150-incident-mails.ts';
import * as incidentMailsValidated from './migrations/0151-incident-mails-validated.ts';
import * as incidentMailIndex from './migrations/0152-incident-mail-index.ts';
import * as assumptions from './migrations/0153-assumptions.ts';
import * as sealedBodies from './migrations/0160-sealed-bodies.ts';
import * as entriesAddUp from './migrations/0164-entries-add-up.ts';
import * as incomeNoted from './migrations/0165-income-noted.ts';
import * as canonicalMetadata from './migrations/0166-canonical-metadata.ts';
import * as sealedAsWritten from './migrations/0167-sealed-as-written.ts';
import * as paymentTexts from './migrations/0169-payment-texts.ts';
import * as paymentTextsFilled from './migrations/0170-payment-texts-filled.ts';
import * as paymentTextsAwaited from './migrations/0171-payment-texts-awaited.ts';
import * as paymentTextsLeft from './migrations/0172-payment-texts-left.ts';
import * as triggersOfOurs from './migrations/0173-triggers-of-ours.ts';
import * as webhookSlots from './migrations/0174-webhook-slots.ts';
import * as paymentsFiltered from './migrations/0180-payments-filtered.ts';
import * as paymentsListed from './migrations/0181-payments-listed.ts';
import * as paymentsExcepted from './migrations/0183-payments-excepted.ts';
import * as dueByPayment from './migrations/0184-due-by-payment.ts';
import * as transfersCountedTogether from './migrations/0185-transfers-counted-together.ts';
import * as dust from './migrations/0186-dust.ts';
import * as journalsByMerchant from './migrations/0187-journals-by-merchant.ts';
import * as movementsTallied from './migrations/0188-movements-tallied.ts';
import * as movementsFilled from './migrations/0189-movements-filled.ts';
import * as creditsToConfirm from './migrations/0190-credits-to-confirm.ts';
import * as paymentsExceptedAlone from './migrations/0191-payments-excepted-alone.ts';
import * as creditsSpent from './migrations/0192-credits-spent.ts';
import * as ofOneWallet from './migrations/0193-of-one-wallet.ts';
import * as whoPaysWithdrawals from './migrations/0194-who-pays-withdrawals.ts';
import * as whoAsksToFail from './migrations/0195-who-asks-to-fail.ts';
import * as failRequestsValidated from './migrations/0196-fail-requests-validated.ts';
import * as refundsLimited from './migrations/0197-refunds-limited.ts';
import * as refundsLimitedByDay from './migrations/0198-refunds-limited-by-day.ts';
import * as paymentsReversed from './migrations/0199-payments-reversed.ts';
import * as merchantsRejected from './migrations/0200-merchants-rejected.ts';
import * as sealingKeys from './migrations/0220-sealing-keys.ts';
import * as payoutsPaidIn from './migrations/0230-payouts-paid-in.ts';
import * as payoutsPaidInValidated from './migrations/0240-payouts-paid-in-validated.ts';
import * as payoutsBegunIn from './migrations/0241-payouts-begun-in.ts';
import * as payoutsBegunInValidated from './migrations/0242-payouts-begun-in-validated.ts';
import * as payoutsPlacedByLog from './migrations/0243-payouts-placed-by-log.ts';
import * as refundsLimitedSum from './migrations/0260-refunds-limited-sum.ts';
import * as refundsLimitedDropped from './migrations/0261-refunds-limited-dropped.ts';
import * as rescansUnread from './migrations/0262-rescans-unread.ts';
import * as lostPayoutsHeldBy from './migrations/0270-lost-payouts-held-by.ts';
import * as subscriptionsHeld from './migrations/0280-subscriptions-held.ts';
import * as payoutsNarrowed from './migrations/0281-payouts-narrowed.ts';
import * as payoutsBesideWhole from './migrations/0290-payouts-beside-whole.ts';
import * as payoutsNarrowedAreShown from './migrations/0291-payouts-narrowed-are-shown.ts';
import * as reconcileRuns from './migrations/0305-reconcile-runs.ts';
import * as reconcileRunsRepeated from './migrations/0306-reconcile-runs-repeated.ts';
import * as settledMandates from './migrations/0309-settled-mandates.ts';
import * as fewAmongMany from './migrations/0311-few-among-many.ts';
import * as scrapedCounts from './migrations/0312-scraped-counts.ts';
import * as waitingWithdrawals from './migrations/0313-waiting-withdrawals.ts';
import * as passedOver from './migrations/0314-passed-over.ts';
import * as auditByResource from './migrations/0315-audit-by-resource.ts';
import * as givenUpLately from './migrations/0316-given-up-lately.ts';
import { describeVerdict, judgeSchema, readSchema } from './schema-state.ts';
import { openPatientPool } from './silence.ts';
import { isContended } from './transaction.ts';

/** In order, forward only. See decision db/migrations-are-frozen. */
const MIGRATIONS = [
  platform,
  merchants,
  ledger,
  chains,
  payments,
  events,
  linksAndSessions,
  apiKeys,
  idempotency,
  limits,
  webhookEndpoints,
  eventFeed,
  certifications,
  admins,
  withdrawals,
  auditChain,
  secondFactor,
  retention,
  merchantLists,
  operator,
  subscriptions,
  sandboxWallets,
  entriesTogether,
  eventsTogether,
  unconfirmedCollections,
  parkedEvents,
  checksTogether,
  deployment,
  secondOpinions,
  reversedCharges,
  treasury,
  secondPerson,
  loginDevices,
  schemaCompatibility,
  incidentsSeen,
  unprovenNetworks,
  sweeps,
  guardedChanges,
  idleNetworks,
  payoutsFinal,
  rescans,
  delisted,
  prunedPayments,
  dearGas,
  collectorsOfMandates,
  tokensOfMandates,
  doubtedTransactions,
  indexes,
  checksValidated,
  coins,
  quotes,
  quoteIndexes,
  coinSweeps,
  coinIndexes,
  pool,
  poolIndexes,
  bitcoinDeposits,
  refunds,
  returnsValidated,
  payoutTransfers,
  ledgerMonths,
  refundOffers,
  paymentListIndexes,
  merchantContacts,
  payoutsTakenBack,
  bookedByRate,
  bitcoinDrafts,
  payoutsTakenBackIndexes,
  relays,
  operatorFees,
  linkTerms,
  lineItems,
  merchantBrands,
  linksThatSell,
  linkPlaces,
  customers,
  customerIndexes,
  mails,
  localesValidated,
  embedOrigins,
  relayMethods,
  moreScopes,
  relayTries,
  heldBack,
  customersLocale,
  customersLocaleValidated,
  tallies,
  tallyTriggers,
  talliesFilled,
  tallyIndexes,
  listStatistics,
  sealedTogether,
  dueIndexes,
  moreTallies,
  moreTalliesFilled,
  sparseListIndexes,
  unreadIndexes,
  merchantTerms,
  sweepIndexes,
  vacuumSoon,
  restores,
  incidentMails,
  incidentMailsValidated,
  incidentMailIndex,
  assumptions,
  sealedBodies,
  entriesAddUp,
  incomeNoted,
  canonicalMetadata,
  sealedAsWritten,
  paymentTexts,
  paymentTextsFilled,
  paymentTextsAwaited,
  paymentTextsLeft,
  triggersOfOurs,
  webhookSlots,
  paymentsFiltered,
  paymentsListed,
  paymentsExcepted,
  dueByPayment,
  transfersCountedTogether,
  dust,
  journalsByMerchant,
  movementsTallied,
  movementsFilled,
  creditsToConfirm,
  paymentsExceptedAlone,
  creditsSpent,
  ofOneWallet,
  whoPaysWithdrawals,
  whoAsksToFail,
  failRequestsValidated,
  refundsLimited,
  refundsLimitedByDay,
  paymentsReversed,
  merchantsRejected,
  sealingKeys,
  payoutsPaidIn,
  payoutsPaidInValidated,
  payoutsBegunIn,
  payoutsBegunInValidated,
  payoutsPlacedByLog,
  refundsLimitedSum,
  refundsLimitedDropped,
  rescansUnread,
  lostPayoutsHeldBy,
  subscriptionsHeld,
  payoutsNarrowed,
  payoutsBesideWhole,
  payoutsNarrowedAreShown,
  reconcileRuns,
  reconcileRunsRepeated,
  settledMandates,
  fewAmongMany,
  scrapedCounts,
  waitingWithdrawals,
  passedOver,
  auditByResource,
  givenUpLately,
] satisfies readonly Migration[];

/**
 * The newest migration that code has to know to run on this schema. Raise it with a release that drops or narrows what
 * releases before it use, to the last migration of the first release that does without.
 * See decision db/newer-schemas-run.
 */
const RUNS_SINCE = '0029-checks-together';

/** How long a migration is tried while others have its tables locked, and how long it waits in between. */
const TRIED_FOR_MS = 120_000;
const AGAIN_MS = 500;

/** Names of all migrations of this version, in order. */
export const migrationNames = (): string[] => MIGRATIONS.map((migration) => migration.name);

/** Those up to one of them, to bring a database to a schema from before this release. */
export const migrationsUpTo = (last: string): ReadonlySet<string> =>
  new Set(migrationNames().filter((name) => name <= last));

/**
 * Migrates the database at `ownerUrl`, one process at a time, and grants `appRole` its rights. Each migration runs by
 * itself, and a run goes on where one that was killed has stopped; an empty database takes all of them or none. Does
 * nothing on the schema of a newer release that this one can run on: that one has granted, and knows of which tables
 * the application may only read. Throws StartError on one that it can't, and the first error of a migration; earlier
 * migrations stay. With `only` it runs no others, for a restore, which migrates to where its copy was.
 */
export async function migrate(ownerUrl: string, appRole?: string, only?: ReadonlySet<string>): Promise<void> {
  const wanted = only ? MIGRATIONS.filter(({ name }) => only.has(name)) : MIGRATIONS;
  const pool = openPatientPool(ownerUrl, 2);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    if (await findNext(db, wanted)) {
      const giveTurn = await waitForTurn(ownerUrl);
      try {
        await migrateEmpty(db, wanted);
        for (let next = await findNext(db, wanted); next; next = await findNext(db, wanted)) {
          await migrateUnderLoad(db, next);
        }
      } finally {
        await giveTurn();
      }
    }
    await markCompatibility(db);
    const { kind } = judgeSchema(await readSchema(db), migrationNames());
    if (appRole && kind !== 'newer') await grantRights(db, appRole);
  } finally {
    await db.destroy();
  }
}

type Next = {
  readonly migration: Migration;
  readonly done: readonly string[];
  readonly wanted: readonly Migration[];
};

/** The first of our migrations that was not run yet, as the database says now. */
async function findNext(db: Kysely<unknown>, wanted: readonly Migration[]): Promise<Next | null> {
  const state = await readSchema(db);
  const verdict = judgeSchema(state, migrationNames());
  if (verdict.kind === 'too_new') throw new StartError(describeVerdict(verdict) ?? '');
  const migration = wanted.find(({ name }) => !state.done.includes(name));
  return migration ? { migration, done: state.done, wanted } : null;
}

/** Runs all of them in one transaction where none was run before. See decision db/an-empty-database-at-once. */
async function migrateEmpty(db: Kysely<unknown>, wanted: readonly Migration[]): Promise<void> {
  const { done } = await readSchema(db);
  if (done.length > 0) return;
  const steps = Object.fromEntries(wanted.map((migration) => [migration.name, toFirstStep(migration)]));
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => steps } }).migrateToLatest();
  if (error) throw error;
}

/**
 * Gives way to what the application does meanwhile, and tries again: a migration that waits long for a table holds up
 * everybody behind it.
 */
async function migrateUnderLoad(db: Kysely<unknown>, { migration, done, wanted }: Next): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: providerFor(done, wanted),
    disableTransactions: !needsTransaction(migration),
  });
  for (const until = performance.now() + TRIED_FOR_MS; ; ) {
    const { error } = await migrator.migrateUp();
    if (!error) return;
    if (!isContended(error)) throw error;
    if (performance.now() > until) {
      throw new StartError(
        `The migration ${migration.name} found a table locked for ${TRIED_FOR_MS / 1000} seconds. A long transaction holds it, such as a backup or a report. Wait for its end, or end it, and migrate again: what was migrated stays.`,
      );
    }
    await sleep(AGAIN_MS * (0.5 + Math.random()));
  }
}

/** Ours, and those of newer releases that were run: kysely refuses a database with migrations that it is not given. */
const providerFor = (done: readonly string[], wanted: readonly Migration[]): MigrationProvider => ({
  getMigrations: async () => ({
    ...Object.fromEntries(done.map((name) => [name, { up: async () => undefined }])),
    ...Object.fromEntries(wanted.map((migration) => [migration.name, toStep(migration)])),
  }),
});

/** Never lowers what a newer release has written: its name sorts after ours. */
async function markCompatibility(db: Kysely<unknown>): Promise<void> {
  await sql`
    insert into schema_compatibility (runs_since) values (${RUNS_SINCE})
    on conflict (one) do update set runs_since = excluded.runs_since, set_at = clock_timestamp()
     where schema_compatibility.runs_since < excluded.runs_since`.execute(db);
}
