import { expect } from 'vitest';
import { SilentNetworkError } from '../../src/chains/silent-network.ts';
import { KINDS } from '../../src/kinds.ts';
import type { Network } from '../../src/ports/chain.ts';
import { serviceTest } from '../fixture.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { customer, TEA_CLUB } from '../support/subscriptions.ts';

const OPEN = { ...TEST_NETWORK, tokens: TEST_NETWORK.tokens.filter(({ symbol }) => symbol === 'USDT') };
/** Has both tokens, so that USDC can be had there alone. */
const CLOSED = { ...TEST_NETWORK, name: 'quiet', chainId: 5 };

const REASON = new SilentNetworkError('quiet', 'connection refused');
const test = serviceTest({
  composed: {
    kinds: KINDS,
    networks: [CLOSED, OPEN],
    networkChecks: {
      check: async ({ name }: Network) => {
        if (name === 'quiet') throw REASON;
      },
      silent: new Map([['quiet', REASON.message]]),
    },
  },
});

const refusal = { status: 503, code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('quiet') };

test('a payment is offered only on networks that can be reached', async ({ merchant }) => {
  const payment = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  expect(payment.options.map(({ network, token }) => `${token} ${network}`)).toEqual(['USDT devnet']);
});

test('a payment that only a closed network could take is refused with its name, and nothing is stored', async ({
  service,
  merchant,
}) => {
  const before = await service.db.selectFrom('payments').select('id').execute();
  const asked = merchant.client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDC'] });
  await expect(asked).rejects.toMatchObject(refusal);
  expect(await service.db.selectFrom('payments').select('id').execute()).toEqual(before);
});

test('to choose a closed network, or to subscribe on one, is refused with its name', async ({ service, merchant }) => {
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  const choice = service.client().public.payments.select(id, { token: 'USDT', network: 'quiet' });
  await expect(choice).rejects.toMatchObject(refusal);
  const plan = await merchant.client.plans.create({ ...TEA_CLUB, network: 'quiet' });
  await expect(merchant.client.plans.subscribe(plan.id, customer())).rejects.toMatchObject(refusal);
});

test('readiness, metrics and an incident say what is closed and why; the process stays ready', async ({ service }) => {
  const ready = await service.send('GET', '/readyz');
  expect(ready).toMatchObject({
    status: 200,
    body: {
      status: 'ready',
      networks: [
        { network: 'quiet', open: false, detail: expect.stringContaining('connection refused') },
        // No process with the role watcher runs here: this one can serve all the same.
        { network: 'devnet', open: true, watched: false, detail: expect.stringContaining('role watcher') },
      ],
    },
  });
  const metrics = await service.metrics();
  expect(metrics).toContain('kasi_network_open{network="quiet"} 0');
  expect(metrics).toContain('kasi_network_watched{network="devnet"} 0');
  await expect
    .poll(() => service.db.selectFrom('incidents').select(['kind', 'subject', 'resolved_at']).execute())
    .toEqual([{ kind: 'network.closed', subject: 'quiet', resolved_at: null }]);
});
