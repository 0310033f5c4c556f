import { describe, expect, test } from 'vitest';
import { parseDateTime } from '../../src/lib/dates.ts';
import { type LinkChange, type PaymentLink, statusOf, step } from '../../src/payment-links/link.ts';
import { parseChange, parseDraft } from '../../src/payment-links/parse.ts';
import { generateSlug } from '../../src/payment-links/slug.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const LINK: PaymentLink = {
  id: 'plink_1',
  merchantId: 'mer_1',
  title: 'Tea',
  description: null,
  ...{ amountMinor: 2500n, payerAmount: null, items: null },
  acceptedTokens: ['USDT'],
  slug: 'tea',
  ...{ maxPayments: null, customFields: null, thankYou: null, thankYouUrl: null },
  disabled: false,
  expiresAt: NOW,
  expiryAnnouncedAt: null,
  eventSequence: 1,
  createdAt: later(-1000),
  updatedAt: later(-1000),
};

const update = (link: PaymentLink, change: LinkChange, now = NOW) => step(link, { kind: 'update', change }, now);

describe('the status of a payment link', () => {
  test.each([
    [{ expiresAt: null }, 'active'],
    [{ expiresAt: later(1) }, 'active'],
    [{ expiresAt: NOW }, 'expired'],
    [{ expiresAt: later(-1) }, 'expired'],
    [{ disabled: true, expiresAt: null }, 'disabled'],
    [{ disabled: true, expiresAt: later(-1) }, 'disabled'],
  ] as const)('%j makes it %s', (change, status) => {
    expect(statusOf({ ...LINK, ...change }, NOW)).toBe(status);
  });
});

describe('updating a payment link', () => {
  const open = { ...LINK, expiresAt: later(1000) };

  test('changes the given fields and emits one event', () => {
    const { next, events } = update(open, { title: 'Coffee', disabled: true });
    expect(next).toEqual({ ...open, title: 'Coffee', disabled: true, eventSequence: 2, updatedAt: NOW });
    expect(events).toEqual([{ type: 'payment_link.updated', link: next }]);
  });

  test.each([{}, { title: 'Tea' }, { description: null, disabled: false, expiresAt: later(1000) }])(
    '%j changes nothing and emits nothing',
    (change) => {
      const result = update(open, change);
      expect(result.next).toBe(open);
      expect(result.events).toEqual([]);
    },
  );

  test('to a new expiry allows a second expiry event', () => {
    const announced = { ...LINK, expiryAnnouncedAt: later(-5) };
    const { next } = update(announced, { expiresAt: later(1000) });
    expect(next.expiryAnnouncedAt).toBeNull();
    expect(statusOf(next, NOW)).toBe('active');
    expect(update(announced, { expiresAt: null }).next).toMatchObject({ expiresAt: null, expiryAnnouncedAt: null });
    expect(update(announced, { title: 'Coffee' }).next.expiryAnnouncedAt).toEqual(later(-5));
  });

  test('after an unannounced expiry emits the expiry event first', () => {
    const { next, events } = update(LINK, { expiresAt: later(1000) });
    expect(events.map(({ type, link }) => [type, link.eventSequence, statusOf(link, NOW)])).toEqual([
      ['payment_link.expired', 2, 'expired'],
      ['payment_link.updated', 3, 'active'],
    ]);
    expect(next).toMatchObject({ eventSequence: 3, expiryAnnouncedAt: null });
    expect(update(LINK, {}).events).toEqual([]);
  });
});

describe('the expiry of a payment link', () => {
  const elapse = (link: PaymentLink) => step(link, { kind: 'clock' }, NOW);

  test('emits one event and leaves updatedAt unchanged', () => {
    const { next, events } = elapse(LINK);
    expect(next).toEqual({ ...LINK, expiryAnnouncedAt: NOW, eventSequence: 2 });
    expect(events).toEqual([{ type: 'payment_link.expired', link: next }]);
    expect(elapse(next).events).toEqual([]);
  });

  test('is announced for a disabled link too, and never early', () => {
    expect(elapse({ ...LINK, disabled: true }).events).toHaveLength(1);
    expect(elapse({ ...LINK, expiresAt: later(1) }).events).toEqual([]);
    expect(elapse({ ...LINK, expiresAt: null }).events).toEqual([]);
  });
});

describe('parsing a request', () => {
  test('fills in every default', () => {
    expect(parseDraft({ title: 'Donation', amount: 5.25 }, 'mer_1', NOW)).toEqual({
      merchantId: 'mer_1',
      title: 'Donation',
      description: null,
      ...{ amountMinor: 525n, payerAmount: null, items: null },
      acceptedTokens: ['USDT', 'USDC', 'ETH', 'BTC'],
      slug: null,
      ...{ maxPayments: null, customFields: null, thankYou: null, thankYouUrl: null },
      expiresAt: null,
    });
  });

  test.each(['', null])('%j means no expiry and no description', (none) => {
    const texts = { description: none, expiresAt: none };
    expect(parseDraft({ title: 'T', amount: 5, ...texts }, 'mer_1', NOW)).toMatchObject({
      description: null,
      expiresAt: null,
    });
    expect(parseChange(texts, NOW)).toEqual({ description: null, expiresAt: null });
  });

  test('leaves omitted fields out of a change', () => {
    expect(parseChange({}, NOW)).toEqual({});
    expect(parseChange({ status: 'active' }, NOW)).toEqual({ disabled: false });
  });

  test.each([
    ['2026-03-01T12:00:00.000Z', 'must be in the future'],
    ['2026-03-01T17:29:59+05:30', 'must be in the future'],
    ['2027-02-29T12:00:00Z', 'must be a date-time that exists, like 2026-06-30T18:00:00Z'],
    ['2027-02-28T25:00:00Z', 'must be a date-time that exists, like 2026-06-30T18:00:00Z'],
  ])('refuses an expiry of %s', (expiresAt, message) => {
    const refusal = expect.objectContaining({ code: 'VALIDATION_ERROR', fields: [{ path: 'expiresAt', message }] });
    expect(() => parseDraft({ title: 'T', amount: 5, expiresAt }, 'mer_1', NOW)).toThrow(refusal);
    expect(() => parseChange({ expiresAt }, NOW)).toThrow(refusal);
  });

  test('accepts an expiry one millisecond ahead', () => {
    expect(parseChange({ expiresAt: '2026-03-01T17:30:00.001+05:30' }, NOW)).toEqual({ expiresAt: later(1) });
  });
});

test.each([
  ['2026-03-01T12:00Z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01t12:00:00z', '2026-03-01T12:00:00.000Z'],
  ['2026-03-01T12:00:00.123456789+05:30', '2026-03-01T06:30:00.123Z'],
  ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
])('%s is a valid date-time', (text, iso) => {
  expect(parseDateTime(text)?.toISOString()).toBe(iso);
});

test.each([
  '2026-02-30T12:00Z',
  '2026-13-01T12:00Z',
  '2026-03-01',
  '2026-03-01T12:00',
  '2026-03-01T12:00:61Z',
  '',
  'soon',
])('%j is no valid date-time', (text) => {
  expect(parseDateTime(text)).toBeUndefined();
});

test('generated slugs have ten unambiguous characters, drawn from the whole alphabet', () => {
  const slugs = Array.from({ length: 2000 }, generateSlug);
  for (const slug of slugs) expect(slug).toMatch(/^[0-9a-hjkmnp-tv-z]{10}$/);
  expect(new Set(slugs).size).toBe(slugs.length);
  expect(new Set(slugs.join('')).size).toBe(32);
});
