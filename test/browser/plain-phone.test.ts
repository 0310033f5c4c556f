import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { publicPlan } from '../support/customer-deps.ts';
import { type PageServer, startPageServer } from '../support/page-server.ts';
import { PHONE, usePayers } from '../support/payers.ts';
import { publicSubscription } from '../support/public-subscription.ts';

let server: PageServer;
beforeAll(async () => {
  server = await startPageServer();
});
afterAll(() => server.close());
afterEach(() => {
  expect(server.errors).toEqual([]);
});
const payers = usePayers();

test('what needs a wallet says without scripts that scripts are missing, and with them that a wallet is', async () => {
  const [plan, subscription] = [publicPlan(), publicSubscription()];
  server.plans.set(plan.id, plan);
  server.subscriptions.set(subscription.id, subscription);
  for (const path of [`plan/${plan.id}`, `subscription/${subscription.id}`, 'customer']) {
    const url = `${server.url}/checkout/${path}`;
    const without = await payers.open(url, { ...PHONE, javaScriptEnabled: false });
    expect(await without.locator('#no-script').textContent(), path).toContain('needs JavaScript');
    expect(await without.locator('#no-wallet').isVisible(), path).toBe(false);
    const with_ = await payers.open(url, PHONE);
    await with_.locator('#no-wallet').waitFor();
    expect(await with_.locator('#no-script').count(), path).toBe(0);
  }
});
