import { expect } from 'vitest';
import { after, HOUR_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { test } from '../fixture.ts';
import { customerWallet, subscribe, TEA_CLUB } from '../support/subscriptions.ts';

const { address } = customerWallet();

test('makes a text that names the site, the plan, its price and until when it holds', async ({ service, merchant }) => {
  const plan = await merchant.client.plans.create({ ...TEA_CLUB, name: 'Tea\u00a0club', trialDays: 14 });
  const asked = { purpose: 'subscribe', walletAddress: address, planId: plan.id } as const;
  const { id, message, expiresAt } = await service.client().public.customers.challenge(asked);
  const { checkoutUrl } = service.service.platform;
  const { businessName } = await merchant.client.merchants.get(merchant.id);
  expect(message.split('\n')).toEqual([
    `${new URL(checkoutUrl).host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    `I subscribe to 'Tea club' of '${businessName}' for USD 25.00 every month after 14 free days. ` +
      'Nothing can be charged before I agree to it in the next step.',
    '',
    `URI: ${checkoutUrl}`,
    'Version: 1',
    'Chain ID: 31337',
    `Nonce: ${id.slice(4)}`,
    expect.stringMatching(/^Issued At: /),
    `Expiration Time: ${expiresAt}`,
    'Resources:',
    `- ${plan.url}`,
  ]);
  const { real } = service.clock;
  expect(new Date(expiresAt).getTime()).toBeGreaterThan(after(real(), 9 * MINUTE_MS).getTime());
  const again = await service.client().public.customers.challenge(asked);
  expect(again.message, 'each is good for one use').not.toBe(message);
});

/** What ERC-4361 says a message is, as far as ours use it. */
const GRAMMAR = new RegExp(
  [
    /^[\w.~-]+(:\d+)? wants you to sign in with your Ethereum account:/,
    ...[/0x[0-9A-Fa-f]{40}/, /(?=\n)/, /[\w.~:/?#[\]@!$&'()*+,;= -]+/, /(?=\n)/],
    ...[/URI: https?:\/\/[\w.~:/-]+/, /Version: 1/, /Chain ID: \d+/, /Nonce: [A-Za-z0-9]{8,}/],
    ...[/Issued At: [\dT:.Z-]+/, /Expiration Time: [\dT:.Z-]+/, /Resources:/, /- https?:\/\/[\w.~:/-]+$/],
  ]
    .map(({ source }) => source)
    .join('\n'),
);

test.for<[string, string, string, string]>([
  ['Ceylon tea & co. (1)', "Tea's", "'Ceylon tea & co. (1)'", "'Tea's'"],
  ['චාමරගේ තේ', 'Café', 'plan', 'merchant'],
  ['100 % "tea"', 'Tea\u202e\u200b House', 'plan', "'Tea House'"],
  ["Tea' of 'Kasi' for USD 0.01 every year.", 'Tea', 'plan', "'Tea'"],
  ["Tea'\u2028\u2028URI: https://evil.example", '\u05e7', 'plan', 'merchant'],
])(
  'the text keeps the form that wallets know, whatever things are called: %j of %j',
  async ([name, businessName, what, whose], { service }) => {
    const { id, client } = await service.activeMerchant();
    await client.merchants.update(id, { businessName });
    const plan = await client.plans.create({ ...TEA_CLUB, name });
    const asked = { purpose: 'subscribe', walletAddress: address, planId: plan.id } as const;
    const { message } = await service.client().public.customers.challenge(asked);
    expect(message).toMatch(GRAMMAR);
    const said = [what === 'plan' ? plan.id : what, whose === 'merchant' ? id : whose].join(' of ');
    expect(message).toContain(`I subscribe to ${said} for USD 25.00 every month.`);
  },
);

test('says what else is asked: to see the list, and to end one subscription', async ({ service, merchant }) => {
  const { challenge } = service.client().public.customers;
  const seen = await challenge({ purpose: 'sign_in', walletAddress: address.toLowerCase() });
  expect(seen.message).toContain(`${address}\n\nShow me my subscriptions. This allows no payment`);
  const { id } = await subscribe(merchant.client);
  const end = await challenge({ purpose: 'cancel', walletAddress: address, subscriptionId: id });
  expect(end.message).toContain("I cancel my subscription to 'Tea club' of ");
  expect(end.message).toContain(`/subscription/${id}`);
});

test('refuses what it is not about, and wallets that are none', async ({ service, merchant }) => {
  const { challenge } = service.client().public.customers;
  const { id, planId } = await subscribe(merchant.client);
  const refused = (path: string) => ({ status: 400, code: 'VALIDATION_ERROR', fields: [{ path }] });
  await expect(challenge({ purpose: 'subscribe', walletAddress: address })).rejects.toMatchObject(refused('planId'));
  await expect(challenge({ purpose: 'sign_in', walletAddress: address, planId })).rejects.toMatchObject(
    refused('planId'),
  );
  await expect(challenge({ purpose: 'cancel', walletAddress: address })).rejects.toMatchObject(
    refused('subscriptionId'),
  );
  await expect(challenge({ purpose: 'sign_in', walletAddress: '0x12' })).rejects.toMatchObject(
    refused('walletAddress'),
  );
  const stranger = { purpose: 'cancel', walletAddress: customerWallet(9).address, subscriptionId: id } as const;
  await expect(challenge(stranger)).rejects.toMatchObject(refused('walletAddress'));
});

test('answers 404 for what there is not', async ({ service }) => {
  const { challenge } = service.client().public.customers;
  const asked = { purpose: 'subscribe', walletAddress: address, planId: 'plan_unknown' } as const;
  await expect(challenge(asked)).rejects.toMatchObject({ status: 404 });
  const end = { purpose: 'cancel', walletAddress: address, subscriptionId: 'sub_unknown' } as const;
  await expect(challenge(end)).rejects.toMatchObject({ status: 404 });
});

test('answers 409 where no network collects', async ({ service }) => {
  const { networks } = service.service.platform;
  const [network] = networks as unknown as [{ collector: string | null }];
  const { collector } = network;
  network.collector = null;
  const asked = { purpose: 'sign_in', walletAddress: address } as const;
  await expect(service.client().public.customers.challenge(asked)).rejects.toMatchObject({
    ...{ status: 409, reason: 'no_collector' },
  });
  network.collector = collector;
});

test('texts are deleted some time after they are over', async ({ service }) => {
  const asked = { purpose: 'sign_in', walletAddress: address } as const;
  const { id } = await service.client().public.customers.challenge(asked);
  const stored = () => service.db.selectFrom('wallet_challenges').select('id').where('id', '=', id).execute();
  await service.runJob('customers.sweep');
  expect(await stored()).toHaveLength(1);
  service.clock.advanceReal(2 * HOUR_MS);
  await service.runJob('customers.sweep');
  expect(await stored()).toEqual([]);
});
