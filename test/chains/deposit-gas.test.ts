import { readFileSync, writeFileSync } from 'node:fs';
import type { Address } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testUsdc, testUsdt } from '../../generated/contracts.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy } from '../support/evm.ts';
import { type Deposits, NATIVE, newPayment, openDeposits } from './deposit-fixture.ts';

/** Gas per deposit. Run once with RECORD_GAS=1 to record new figures, and commit them with their reason. */
const RECORD = new URL('./deposit-gas.json', import.meta.url);
const TOLERANCE = 0.02;

let node: Anvil;
let deposits: Deposits;
const measured: Record<string, number> = {};

beforeAll(async () => {
  node = await startAnvil();
  deposits = await openDeposits(node);
});
afterAll(() => node.stop());

test.each([
  ['USDC', (): Promise<Address> => deploy(deposits.wallet, testUsdc)],
  ['USDT', (): Promise<Address> => deploy(deposits.wallet, testUsdt)],
  ['ETH', (): Promise<Address> => Promise.resolve(NATIVE)],
])(
  'sweeping %s stays within 2 % of the recorded gas, alone and in a batch of 50, first and later',
  async (name, prepare) => {
    const token = await prepare();
    const pay = (to: Address) => (token === NATIVE ? deposits.payEther(to, 5n) : deposits.mint(token, to, 5n));
    await pay(deposits.treasury); // The very first transfer would pay for the treasury's storage slot.
    for (const size of [1, 50]) {
      const payments = Array.from({ length: size }, newPayment);
      for (const when of ['first', 'later']) {
        for (const paymentId of payments) await pay(deposits.addressOf(paymentId));
        const { gasUsed } = await deposits.sweep(payments, token);
        measured[`${name}, ${size === 1 ? 'alone' : `batch of ${size}`}, ${when} sweep`] = Math.round(
          Number(gasUsed) / size,
        );
      }
    }
  },
);

test('the recorded figures match this code', () => {
  if (process.env['RECORD_GAS'] === '1') writeFileSync(RECORD, `${JSON.stringify(measured, null, 2)}\n`);
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as Record<string, number>;
  expect(Object.keys(measured)).toEqual(Object.keys(recorded));
  for (const [what, gas] of Object.entries(measured)) {
    const change = gas / recorded[what]! - 1;
    expect(Math.abs(change), `${what}: ${gas} gas, recorded ${recorded[what]}`).toBeLessThanOrEqual(TOLERANCE);
  }
});
