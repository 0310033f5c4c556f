import { expect, test } from 'vitest';
import { LANGUAGE_CODES, type Language } from '../../src/checkout/pages/languages.ts';
import { type PayerMail, receiptMail, refundMail } from '../../src/checkout/pages/mail-view.ts';
import { wordsOf } from '../../src/checkout/pages/words.ts';
import { DESK, PHONE, usePayers, violations } from '../support/payers.ts';
import { arrived, NOW, paymentOption, publicPayment } from '../support/public-payment.ts';

const payers = usePayers();

const BASE = { ...paymentOption('USDT', 'base', '15.000000'), chainId: 8453 };
const HASH = `0x${'8a1f0c3b'.repeat(8)}`;
const PAID = publicPayment({
  ...arrived(16, 2),
  ...{ status: 'paid', paidAt: NOW.toISOString(), network: 'base', options: [BASE] },
  transactions: (arrived(16, 2).transactions ?? []).map((each) => ({ ...each, network: 'base', hash: HASH })),
  merchantContact: { email: 'help@teahouse.example', url: 'https://teahouse.example/help', website: null },
  items: [
    { name: 'Workshop', quantity: 1, unitAmount: 3500 },
    { name: 'Tea of the first flush, in a tin', quantity: 2, unitAmount: 500 },
  ],
});
const CHECKOUT = 'https://pay.example/checkout';

const receipt = (language: Language): PayerMail => {
  const mail = receiptMail(PAID, CHECKOUT, wordsOf(language, 'UTC'));
  if (mail === null) throw new Error('it is paid');
  return mail;
};
const refund = (language: Language): PayerMail =>
  refundMail(
    PAID,
    {
      ...{ id: 'rfd_01jggfnds9e9gt3f3v5s7k2m4n', paymentId: PAID.id, status: 'completed', statusMessage: null },
      ...{ offered: false, amount: 300, currency: 'LKR', token: 'USDT', network: 'base', tokenAmount: '1.000000' },
      ...{ reason: 'Sold out.', destinationAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', txHash: HASH },
      ...{ createdAt: NOW.toISOString(), finishedAt: NOW.toISOString() },
    },
    CHECKOUT,
    wordsOf(language, 'UTC'),
  );

const MAILS: Record<string, PayerMail> = {
  ...Object.fromEntries(LANGUAGE_CODES.map((language) => [`receipt-${language}`, receipt(language)])),
  'refund-en': refund('en'),
  'refund-ta': refund('ta'),
};

test.each(Object.keys(MAILS))(
  '%s fits a phone and a desktop, and axe finds nothing, in light and dark',
  async (name) => {
    const { html } = MAILS[name]!;
    const shots = process.env['SHOTS'];
    for (const [size, look] of Object.entries({ phone: PHONE, desk: DESK })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const page = await payers.open('about:blank', { ...look, colorScheme });
        await page.setContent(html);
        const width = (await page.evaluate('document.documentElement.scrollWidth')) as number;
        expect([size, width <= look.viewport.width]).toEqual([size, true]);
        expect([size, colorScheme, await violations(page)]).toEqual([size, colorScheme, []]);
        if (shots) await page.screenshot({ path: `${shots}/${name}-${size}-${colorScheme}.png`, fullPage: true });
        await payers.leave();
      }
    }
  },
);

test('a mail says where anybody can look its transfer up, in both of its parts', () => {
  for (const { text, html } of [receipt('en'), refund('en')]) {
    expect(html).toContain(`<a href="https://basescan.org/tx/${HASH}">Look it up at basescan.org</a>`);
    expect(text).toContain(`https://basescan.org/tx/${HASH}`);
    expect(text).toContain(`Your receipt: ${CHECKOUT}/receipt/${PAID.id}\n`);
  }
});

test('money of a payment that never was paid leads to the payment: there is no receipt', () => {
  const never = { ...PAID, status: 'expired', paidAt: null } as const;
  expect(receiptMail(never, CHECKOUT, wordsOf('en', 'UTC'))).toBeNull();
});
