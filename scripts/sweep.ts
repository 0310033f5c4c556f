/**
 * Moves deposits into the treasury where that pays. Signs and stores; the running service sends what is stored, and
 * looks after it. May be interrupted and repeated.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { listTransactions, type OperatorTransactionId } from '../src/chains/operator/queries.ts';
import type { Config } from '../src/config.ts';
import { sqlState } from '../src/db/transaction.ts';
import { KINDS } from '../src/kinds.ts';
import { SECOND_MS } from '../src/lib/clock.ts';
import type { Db } from '../src/lib/db-types.ts';
import { messageOf } from '../src/lib/errors.ts';
import { formatUnits } from '../src/lib/money.ts';
import { assetsOf } from '../src/ports/assets.ts';
import type { Asset, Network } from '../src/ports/chain.ts';
import type { Chains } from '../src/ports/chain-kind.ts';
import type { OperatorAccount } from '../src/ports/operator.ts';
import { createCoinWorth, createRates, originOf } from '../src/rates/reader.ts';
import { sandboxSweepKey } from '../src/sandbox/network.ts';
import { findStored } from '../src/settings/queries.ts';
import { planSweep, type SweepPlan, storeCoinSweeps, storeSweeps } from '../src/treasury/sweep.ts';
import { openNetworks } from './lib/chains.ts';
import { type Connection, Refusal, runOnDatabase, usage } from './lib/connection.ts';
import { complain, result, say } from './lib/output.ts';
import { problemOf } from './lib/transaction-problem.ts';

/** Estimates are asked for in its name where there is no key. */
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000';
const COIN_DECIMALS = 18;
/** Of `sweep_items_open`: money is in one sweep at a time. */
const UNIQUE_VIOLATION = '23505';
const WAIT_SECONDS = 60;

await runOnDatabase(parse, async (connection, { dryRun, wait, name, symbol, paymentIds }) => {
  const { db, config, clock } = connection;
  const { networks, chains } = await openNetworks(config);
  const chosen = networks.filter((network) => name === undefined || network.name === name);
  const [first] = chosen;
  if (symbol === 'native' && first) {
    const deposits = await findDeposits(db, paymentIds);
    const sweeper = openSweeper(config);
    const { ids, waits, left } = await storeCoinSweeps({ db, chains, sweeper }, first, deposits, clock.now());
    for (const id of left) say(`${id} stays: it may still be paid in the coin, and a swept address refuses that`);
    if (waits !== null) say(`${first.name} ${first.native?.symbol ?? 'native'}: waits, because ${waits}`);
    return ids.length === 0 ? say('Nothing was swept.') : report(db, ids as OperatorTransactionId[], wait);
  }
  const pairs = chosen.flatMap((network) =>
    assetsOf(network)
      .filter((asset) => symbol === undefined || asset.symbol === symbol)
      .map((asset) => ({ network, asset })),
  );
  if (networks.length === 0) throw new Refusal('No network is known here.');
  if (pairs.length === 0) throw usage('sweep', describeUnknown(networks, chosen, name, symbol));
  const { stored, waits } = await sweepAll(connection, chains, pairs, dryRun ? null : openSweeper(config));
  if (dryRun) say('Nothing was sent.');
  else if (stored.length > 0) await report(db, stored as OperatorTransactionId[], wait);
  else if (waits) say('Nothing was swept: all of it waits.');
  else say(process.exitCode === 1 ? 'Nothing was swept.' : 'There is nothing to sweep.');
});

function describeUnknown(networks: readonly Network[], chosen: readonly Network[], name = '', symbol = ''): string {
  const [network] = chosen;
  if (!network) return `No network "${name}" is listed. Listed: ${networks.map((each) => each.name).join(', ')}.`;
  return `${network.name} has no "${symbol}". Listed: ${assetsOf(network)
    .map((each) => each.symbol)
    .join(', ')}.`;
}

type Pair = { readonly network: Network; readonly asset: Asset };

/** What is stored stays so, whatever becomes of the others: a node that is away must not hide what is on its way. */
async function sweepAll(
  { db, config, clock }: Connection,
  chains: Chains,
  pairs: readonly Pair[],
  sweeper: OperatorAccount | null,
) {
  const now = clock.now();
  const rates = createRates({ clock, origin: originOf(config.mode === 'live', db) });
  const coinWorth = createCoinWorth(rates, () => readManualRates(db));
  const stored: string[] = [];
  let waits = false;
  for (const { network, asset } of pairs) {
    try {
      const choice = { from: sweeper?.address ?? ZERO_ADDRESS, now, settledFor: 0 };
      const plan = await planSweep({ db, chains, coinWorth }, network, asset, choice);
      describe(network, asset, plan);
      const made = plan && sweeper ? await storeSweeps({ db, chains, sweeper }, plan, now) : undefined;
      if (made && made.waits !== null) say(`${network.name} ${asset.symbol}: waits, because ${made.waits}`);
      waits ||=
        plan?.minimum === null || made?.waits != null || plan?.batches.some((each) => each.waits !== null) === true;
      stored.push(...(made?.ids ?? []));
    } catch (error) {
      const state = sqlState(error);
      if (state !== undefined && state !== UNIQUE_VIOLATION) throw error;
      complain(`${network.name} ${asset.symbol}: could not be swept: ${reasonOf(error)}`);
      process.exitCode = 1;
    }
  }
  return { stored, waits };
}

/** In one line: what nodes answer may be long. */
function reasonOf(error: unknown): string {
  if (sqlState(error) === UNIQUE_VIOLATION)
    return 'another sweep has taken one of its deposits meanwhile; run it again';
  return messageOf(error).split('\n', 1)[0] ?? '';
}

function parse(args: readonly string[]) {
  const [name, symbol, ...paymentIds] = args.filter((text) => !text.startsWith('--'));
  const flags = args.filter((text) => text.startsWith('--'));
  const unknown = flags.filter((flag) => flag !== '--dry-run' && flag !== '--no-wait');
  const dryRun = flags.includes('--dry-run');
  const isRight = symbol === 'native' ? paymentIds.length > 0 && !dryRun : paymentIds.length === 0;
  if (!isRight || unknown.length > 0) throw usage('sweep');
  return { dryRun, wait: !flags.includes('--no-wait'), name, symbol, paymentIds };
}

async function findDeposits(db: Db, ids: readonly string[]) {
  const rows = await db
    .selectFrom('payments')
    .select(['id', 'factory_address as factory'])
    .where('id', 'in', [...ids])
    .where('factory_address', '<>', '')
    .execute();
  const unknown = ids.filter((id) => !rows.some((row) => row.id === id));
  if (unknown.length > 0) throw new Refusal(`No payment with a deposit address is called ${unknown.join(', ')}.`);
  return rows;
}

async function readManualRates(db: Db): Promise<Readonly<Record<string, string>>> {
  return Object((await findStored(db)).overrides['manualRates']);
}

function openSweeper({ mode, sweepKey }: Config): OperatorAccount {
  const key = mode === 'live' ? sweepKey : sandboxSweepKey();
  const account = key && KINDS.find(({ operator }) => operator)?.operator?.openAccount(key);
  if (account) return account;
  const old = process.env['OPERATOR_KEY'] ? ' OPERATOR_KEY, which is set, no longer sweeps.' : '';
  throw usage('sweep', `SWEEP_KEY is missing: the private key of an account with some coin for gas.${old}`);
}

function describe({ name }: Network, { symbol, decimals }: Asset, plan: SweepPlan | undefined): void {
  const show = (units: bigint): string => `${formatUnits(units, decimals)} ${symbol}`;
  if (plan === undefined) {
    say(`${name} ${symbol}: was never scanned, or cannot be swept`);
    return;
  }
  if (plan.minimum === null) {
    say(`${name} ${symbol}: waits, because there is no rate of ${symbol}/USD that may be used`);
    return;
  }
  for (const { deposits, call, fee, waits } of plan.batches) {
    const worth = deposits.reduce((sum, { units }) => sum + units, 0n);
    const cost = `${call.work} gas (${call.work / BigInt(deposits.length)} each), ${formatUnits(fee, COIN_DECIMALS)} of the coin`;
    const verdict = waits === null ? '' : `; it waits, because ${waits}`;
    say(`${name} ${symbol}: ${deposits.length} deposits, ${show(worth)}: ${cost}${verdict}`);
  }
  const { addresses, units } = plan.small;
  if (addresses > 0) {
    say(`${name} ${symbol}: ${addresses} deposits below ${show(plan.minimum)}, ${show(units)} together, stay`);
  }
}

/** Waits until the service has brought the transactions into blocks. */
async function report(db: Db, ids: readonly OperatorTransactionId[], wait: boolean): Promise<void> {
  for (let second = 0; ; second += 1) {
    const transactions = await listTransactions(db, ids);
    const waiting = transactions.filter(({ status }) => status === 'signed' || status === 'sent');
    if (waiting.length > 0 && wait && second < WAIT_SECONDS) {
      await sleep(SECOND_MS);
      continue;
    }
    result({ transactions });
    for (const { hash, status } of transactions) say(`transaction ${hash}: ${status}`);
    if (waiting.length > 0) say('The running service sends what is signed, and looks after it.');
    const problems = transactions.map((each) => problemOf(each, wait)).filter((each) => each !== null);
    for (const problem of problems) complain(problem);
    if (problems.length > 0) process.exitCode = 1;
    return;
  }
}
