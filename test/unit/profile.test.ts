import { expect, test } from 'vitest';
import type { Merchant } from '../../src/merchants/merchant.ts';
import { describeChange, diffProfile, parseProfile, parseRegistration } from '../../src/merchants/profile.ts';

const RULES = {
  validateAddress: (address: string) => address.startsWith('0x'),
  checkUrl: (url: string) => (url.startsWith('https:') ? undefined : 'must begin with https://'),
  livemode: true,
};

const MERCHANT: Merchant = {
  id: 'mer_1',
  businessName: 'Tea House',
  email: 'owner@tea.example',
  phone: '+94771234567',
  businessType: 'company',
  status: 'active',
  statusReason: null,
  rejectedAt: null,
  walletAddress: null,
  webhookUrl: 'https://tea.example/hooks?secret=1',
  twoFactorEnabled: false,
  paymentToleranceBps: null,
  refundOffers: [],
  refundOfferMinimum: 100n,
  supportEmail: null,
  supportUrl: null,
  website: null,
  brandColor: null,
  logoName: null,
  sendReceipts: true,
  embedOrigins: [],
  createdAt: new Date(0),
  updatedAt: new Date(0),
};

test.each([
  ['+94771234567', '+94771234567'],
  ['+94 (77) 123-4567', '+94771234567'],
  ['+44 20 7946 0958', '+442079460958'],
  ['+1 555 123 4567', '+15551234567'],
])('the phone number %s is stored as %s', async (text, stored) => {
  expect(await parseRegistration({ businessName: ' Tea ', phone: text, businessType: 'company' })).toEqual({
    businessName: 'Tea',
    phone: stored,
    businessType: 'company',
  });
});

test.each(['+9477', '+999123456789', '+1234567890', '0771234567', '+947712345678901'])(
  '%s is no valid phone number',
  async (phone) => {
    await expect(parseRegistration({ businessName: 'Tea', phone, businessType: 'company' })).rejects.toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', fields: [expect.objectContaining({ path: 'phone' })] }),
    );
  },
);

test('every invalid field is reported at once', async () => {
  const wrong = { businessName: '  ', phone: '12345678', walletAddress: 'bc1', webhookUrl: 'http://tea.example' };
  await expect(parseProfile(wrong, RULES)).rejects.toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      fields: [
        expect.objectContaining({ path: 'businessName' }),
        expect.objectContaining({ path: 'phone' }),
        expect.objectContaining({ path: 'walletAddress' }),
        { path: 'webhookUrl', message: 'must begin with https://' },
      ],
    }),
  );
});

test('"" and null both remove the wallet and the webhook URL; omitted fields stay unchanged', async () => {
  expect(await parseProfile({ walletAddress: '', webhookUrl: '' }, RULES)).toEqual({
    walletAddress: null,
    webhookUrl: null,
  });
  expect(await parseProfile({ walletAddress: null, webhookUrl: null }, RULES)).toEqual({
    walletAddress: null,
    webhookUrl: null,
  });
  expect(await parseProfile({}, RULES)).toEqual({});
});

test('a difference contains only changed fields, and zero differs from null', () => {
  const wanted = { businessName: 'Tea House', phone: '+94770000000', walletAddress: null, paymentToleranceBps: 0 };
  expect(diffProfile(MERCHANT, wanted)).toEqual({ phone: '+94770000000', paymentToleranceBps: 0 });
});

test("the audit description of a change masks the phone number and everything after a webhook URL's host", () => {
  const changed = { phone: '+94770000000', webhookUrl: null, walletAddress: '0xabc', paymentToleranceBps: 0 };
  expect(describeChange(MERCHANT, changed)).toEqual({
    phone: { from: '…4567', to: '…0000' },
    webhookUrl: { from: 'https://tea.example/…', to: null },
    walletAddress: { from: null, to: '0xabc' },
    paymentToleranceBps: { from: null, to: 0 },
  });
});
