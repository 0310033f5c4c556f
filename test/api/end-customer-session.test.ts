import { expect } from 'vitest';
import { test } from '../fixture.ts';
import { beginSession } from '../support/customers.ts';
import { customerWallet } from '../support/subscriptions.ts';

test('ends a session at once, and no other', async ({ service }) => {
  const { customers } = service.client().public;
  const [first, second] = [await beginSession(service.client()), await beginSession(service.client())];
  expect(await customers.end(first.token)).toEqual({ walletAddress: customerWallet().address });
  await expect(customers.subscriptions.list(first.token)).rejects.toMatchObject({ status: 404 });
  expect(await customers.subscriptions.list(second.token)).toMatchObject({ walletAddress: customerWallet().address });
});

test('answers 404 for a session that there is not', async ({ service }) => {
  const { customers } = service.client().public;
  for (const token of ['A'.repeat(43), 'nonsense']) {
    await expect(customers.end(token)).rejects.toMatchObject({ status: 404 });
  }
});
