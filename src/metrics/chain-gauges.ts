import { sql } from 'kysely';
import { sumFees } from '../chains/operator/queries.ts';
import { after, DAY_MS } from '../lib/clock.ts';
import { GAS_AT_RISK_MAX, readGasAtRisk } from '../relays/limits.ts';
import { type Asked, COUNTED_MAX, type Source } from './gauges.ts';

/** What the chains and our accounts on them do, as the database knows it. */
export const chainSources = (asked: Asked): Source[] => [cursors(asked), lags(asked), fees(asked), relays(asked)];

/**
 * Reads chain_cursors whole, and shows what is listed: of a network that was taken off the list nothing is heard, for
 * ever. What still depends on one is an incident.
 */
const cursors = ({ db, networks }: Asked): Source => ({
  name: 'cursors',
  metrics: [
    {
      name: 'kasi_watcher_silent_seconds',
      help: 'Since when no process has heard anything of the chain.',
      labels: ['network'],
    },
    {
      name: 'kasi_finality_lag_blocks',
      help: 'Scanned blocks that are not deep enough yet to be counted on.',
      labels: ['network'],
    },
  ],
  read: async () => {
    const { rows } = await sql<{ network: string; silent: number; shallow: number }>`
      select network, greatest(0, extract(epoch from clock_timestamp() - checked_at))::float8 as silent,
             (height - confirmed_height)::float8 as shallow
        from chain_cursors`.execute(db);
    const listed = new Set(networks.map(({ name }) => name));
    const shown = rows.filter(({ network }) => listed.has(network));
    return shown.flatMap(({ network, silent, shallow }) => [
      { metric: 'kasi_watcher_silent_seconds', labels: { network }, value: silent },
      { metric: 'kasi_finality_lag_blocks', labels: { network }, value: shallow },
    ]);
  },
});

/** The same rows, of the networks that are listed. */
const lags = (asked: Asked): Source => ({
  name: 'lags',
  metrics: [
    {
      name: 'kasi_watcher_blocks_behind',
      help: 'Blocks between the head of a chain and the last one scanned.',
      labels: ['network'],
    },
  ],
  read: async () =>
    (await asked.lags()).flatMap(({ network, blocks }) =>
      blocks === null ? [] : [{ metric: 'kasi_watcher_blocks_behind', labels: { network }, value: blocks }],
    ),
});

/** Reads a day of our own transactions, as far as it counts (operator_transactions_by_purpose). */
const fees = ({ db, clock }: Asked): Source => ({
  name: 'fees',
  metrics: [
    {
      name: 'kasi_operator_fees_day',
      help: `What transactions of our accounts in the last 24 hours cost, the newest ${COUNTED_MAX} of each purpose, in the network’s coin.`,
      labels: ['network', 'purpose'],
    },
  ],
  read: async () => {
    const sums = await sumFees(db, after(clock.now(), -DAY_MS), COUNTED_MAX);
    return sums.map(({ network, purpose, fee }) => ({
      metric: 'kasi_operator_fees_day',
      labels: { network, purpose },
      value: fee,
    }));
  },
});

/** Those that failed or may fail (operator_transactions_at_risk), of which there are as many as the gas allows. */
const relays = ({ db, clock }: Asked): Source => ({
  name: 'relays',
  metrics: [
    {
      name: 'kasi_relay_budget_used',
      help: 'The share of the gas that signed transfers may lose in 24 hours which they have lost or may lose; near 1 they wait.',
      labels: ['network'],
    },
  ],
  read: async () => {
    const sums = await readGasAtRisk(db, clock.now());
    return sums.map(({ network, gas }) => ({
      metric: 'kasi_relay_budget_used',
      labels: { network },
      value: Number(gas) / Number(GAS_AT_RISK_MAX),
    }));
  },
});
