import { expect, test } from 'vitest';
import { findFaults, readForm, toRequest, unwritten } from '../../src/checkout/pages/link-form.ts';
import { aboutView, soldOutView } from '../../src/checkout/pages/link-view.ts';
import { wordsOf } from '../../src/checkout/pages/words.ts';
import { displayAmount } from '../../src/payment-links/display-amount.ts';
import { ASKING, publicLink } from '../support/public-payment.ts';

const LINK = publicLink(ASKING);
const WORDS = wordsOf('en', 'UTC');
const rate = (valueE8: string) => ({ pair: 'USD/LKR', valueE8, source: 'bank', quotedAt: '2026-01-02T03:04:05.006Z' });

test('a form becomes what the operation takes: numbers as numbers, and nothing for what was left open', () => {
  const form = {
    'field.size': 'Large',
    'field.seats': ' 02 ',
    'field.note': '  ',
    customerEmail: ' nimal@example.org ',
  };
  const written = readForm(LINK, form);
  expect(findFaults(LINK, written)).toEqual({ email: false, amount: false, answers: {} });
  expect(toRequest(LINK, written)).toEqual({
    ...{ amount: null, customerEmail: 'nimal@example.org', answers: { size: 'Large', seats: 2 } },
  });
});

test.each([
  [{}, { size: 'missing', seats: 'missing' }],
  [
    { 'field.size': 'large', 'field.seats': '7' },
    { size: 'wrong', seats: 'wrong' },
  ],
  [
    { 'field.size': ' Small', 'field.seats': '1.0' },
    { size: 'wrong', seats: 'wrong' },
  ],
  [{ 'field.size': 'Small', 'field.seats': '0x1' }, { seats: 'wrong' }],
  [{ 'field.size': 'Small', 'field.seats': '9'.repeat(40) }, { seats: 'wrong' }],
  [{ 'field.size': 'Small', 'field.seats': '1', 'field.note': 'x'.repeat(21) }, { note: 'wrong' }],
  [{ 'field.size': 'Small', 'field.seats': '1', 'field.note': '🍵'.repeat(20) }, {}],
  [{ 'field.size': 'Small', 'field.seats': '1', 'field.note': 'two\u2028lines' }, { note: 'wrong' }],
  [{ 'field.size': 'Small', 'field.seats': '1', 'field.note': 'two\u0085lines' }, { note: 'wrong' }],
  [{ 'field.size': 'Small', 'field.seats': '1', 'field.note': 'up\u009b1A' }, { note: 'wrong' }],
  [{ 'field.size': 'Small', 'field.seats': '1', 'field.note': '\u200b\u2800' }, { note: 'wrong' }],
  [
    { size: 'Small', 'field.constructor': 'x' },
    { size: 'missing', seats: 'missing' },
  ],
] as const)('the form %j has these faults: %j', (form, answers) => {
  expect(findFaults(LINK, readForm(LINK, form)).answers).toEqual(answers);
});

test('a form that fills its body with one answer is refused at once, because a page answers nobody else meanwhile', () => {
  const note = `${'a'.repeat(60_000)}\nb`;
  const began = process.cpuUsage();
  expect(findFaults(LINK, readForm(LINK, { 'field.note': note })).answers).toMatchObject({ note: 'wrong' });
  // 1.4 seconds before its length was looked at first.
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(400);
});

test.each([
  ['', true],
  ['  ', true],
  ['0', true],
  ['1,000', true],
  ['12,5', false],
  ['12.50', false],
])('of the amount %j that a payer chose the form says whether it is wrong: %s', (amount, isWrong) => {
  const chosen = publicLink({ payerAmount: { min: 5, max: 100 } });
  expect(findFaults(chosen, readForm(chosen, { amount })).amount).toBe(isWrong);
});

test('a form that nobody has written in suggests the amount', () => {
  expect(unwritten(LINK)).toEqual({ email: '', amount: '25.00', answers: {} });
});

test.each([
  [2500n, '30000000000', 7500],
  [1n, '30000000000', 3],
  [99n, '30145670000', 298.44],
  [100_000_000n, '30145678901', 301_456_789.01],
  [1n, '49999999', 0],
  [1n, '50000000', 0.01],
] as const)('%s cents at %s are about %s rupees', (cents, valueE8, rupees) => {
  expect(displayAmount(cents, rate(valueE8))).toMatchObject({ amount: rupees, currency: 'LKR' });
});

test('without a reliable rate the page says nothing about rupees', () => {
  expect(aboutView(publicLink(), 25, WORDS)).toBeNull();
  expect(aboutView(LINK, null, WORDS)?.text).toBe('');
});

test.each([
  [{ maxPayments: null, paymentsLeft: null, paymentsOpen: null }, null],
  [{ maxPayments: 3, paymentsLeft: 1, paymentsOpen: 2 }, null],
  [
    { maxPayments: 3, paymentsLeft: 0, paymentsOpen: 0 },
    { again: false, text: ['All 3 are taken.'] },
  ],
  [{ maxPayments: 3, paymentsLeft: 0, paymentsOpen: 2 }, { again: true }],
] as const)('a link with %j says %j', (places, said) => {
  const view = soldOutView(publicLink(places), WORDS);
  if (said === null) expect(view).toBeNull();
  else expect(view).toMatchObject(said);
});
