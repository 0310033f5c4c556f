import type { Address } from 'viem';
import { afterAll, beforeAll, test } from 'vitest';
import { testUsdc, testUsdt } from '../../generated/contracts.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy } from '../support/evm.ts';
import { type Deposits, NATIVE, newPayment, openDeposits } from './deposit-fixture.ts';
import { expectRecordedGas } from './gas-record.ts';

/** Gas per deposit. */
const RECORD = new URL('./deposit-gas.json', import.meta.url);

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
  expectRecordedGas(RECORD, measured);
});
