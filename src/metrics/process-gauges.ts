import { countCalls } from '../chains/endpoints.ts';
import { knownBalances } from '../chains/operator/balances.ts';
import type { Reach } from '../chains/reach.ts';
import { type PoolLoad, poolLoad } from '../db/database.ts';
import type { Db } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import type { OperatorAccount } from '../ports/operator.ts';
import type { Reading, Source } from './gauges.ts';

/** What sources that ask nobody are given. */
export type Own = {
  readonly networks: readonly Network[];
  readonly reach: Reach;
  readonly pools: Readonly<Record<string, Db>>;
  readonly accounts: Readonly<Record<string, OperatorAccount | null>>;
  readonly countStreams: () => number;
  readonly countGaps: () => number;
};

/** What this process knows by itself, also while the database is away. */
export const processSources = (own: Own): Source[] => [
  networks(own),
  calls(own),
  pools(own),
  standbys(own),
  gaps(own),
  balances(own),
  streams(own),
];

const networks = ({ reach }: Own): Source => ({
  name: 'networks',
  metrics: [
    { name: 'kasi_network_open', help: 'Whether payments are offered on a network: 1 or 0.', labels: ['network'] },
    { name: 'kasi_network_watched', help: 'Whether any process watches a network: 1 or 0.', labels: ['network'] },
  ],
  read: () =>
    reach.list().flatMap(({ network, open, watched }) => [
      { metric: 'kasi_network_open', labels: { network }, value: open ? 1 : 0 },
      { metric: 'kasi_network_watched', labels: { network }, value: watched ? 1 : 0 },
    ]),
});

const calls = (own: Own): Source => ({
  name: 'calls',
  metrics: [
    {
      ...{ name: 'kasi_rpc_calls_total', help: 'Calls of this process to an endpoint, by its host.' },
      ...{ labels: ['network', 'endpoint'], total: true },
    },
    {
      ...{ name: 'kasi_rpc_errors_total', help: 'Calls to an endpoint that it did not answer as it should.' },
      ...{ labels: ['network', 'endpoint'], total: true },
    },
  ],
  read: () =>
    own.networks.flatMap((network) =>
      countCalls(network).flatMap(({ endpoint, calls: made, errors }): Reading[] => {
        const labels = { network: network.name, endpoint };
        return [
          { metric: 'kasi_rpc_calls_total', labels, value: made },
          { metric: 'kasi_rpc_errors_total', labels, value: errors },
        ];
      }),
    ),
});

const pools = (own: Own): Source => ({
  name: 'pools',
  metrics: [
    {
      name: 'kasi_db_pool_connections',
      help: 'Connections to the database that are in use or idle, and what waits for one.',
      labels: ['pool', 'state'],
    },
    { name: 'kasi_db_pool_connections_max', help: 'The most connections that a pool opens.', labels: ['pool'] },
  ],
  read: () =>
    Object.entries(own.pools).flatMap(([pool, db]): Reading[] => {
      const { max, ...states }: PoolLoad = poolLoad(db);
      return [
        { metric: 'kasi_db_pool_connections_max', labels: { pool }, value: max },
        ...Object.entries(states).map(([state, value]) => ({
          metric: 'kasi_db_pool_connections',
          labels: { pool, state },
          value,
        })),
      ];
    }),
});

/** Nothing without DATABASE_READ_URL. */
const standbys = ({ pools: { main } }: Own): Source => ({
  name: 'standbys',
  metrics: [
    {
      ...{ name: 'kasi_db_standby_reads_total', labels: ['outcome'], total: true },
      help: 'Connections that reads asked for: of a standby, or why the primary’s was taken instead.',
    },
  ],
  read: () =>
    Object.entries(main?.standbys?.counts() ?? {}).map(([outcome, value]) => ({
      metric: 'kasi_db_standby_reads_total',
      labels: { outcome },
      value,
    })),
});

const gaps = ({ countGaps }: Own): Source => ({
  name: 'gaps',
  metrics: [
    {
      ...{ name: 'kasi_db_listen_gaps_total', total: true },
      help: 'How often this process began to listen anew, because a connection was lost or no notification came back.',
    },
  ],
  read: () => [{ metric: 'kasi_db_listen_gaps_total', value: countGaps() }],
});

const balances = ({ accounts }: Own): Source => ({
  name: 'balances',
  metrics: [
    {
      name: 'kasi_account_balance_coins',
      help: 'What an account of ours had of the network’s coin when this process last looked, after it had sent something.',
      labels: ['network', 'account'],
    },
  ],
  read: () =>
    Object.entries(accounts).flatMap(([account, known]) =>
      knownBalances(known?.address).map(({ network, coins }) => ({
        metric: 'kasi_account_balance_coins',
        labels: { network, account },
        value: coins,
      })),
    ),
});

const streams = ({ countStreams }: Own): Source => ({
  name: 'streams',
  metrics: [{ name: 'kasi_payer_streams_open', help: 'Payers’ pages that follow a payment in this process.' }],
  read: () => [{ metric: 'kasi_payer_streams_open', value: countStreams() }],
});
