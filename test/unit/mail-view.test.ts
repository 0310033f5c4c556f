import { expect, test } from 'vitest';
import { LANGUAGE_CODES } from '../../src/checkout/pages/languages.ts';
import { receiptMail, refundMail } from '../../src/checkout/pages/mail-view.ts';
import { wordsOf } from '../../src/checkout/pages/words.ts';
import { linesOf, withoutLinks } from '../../src/lib/shown-text.ts';
import { ENGLISH } from '../support/page-visit.ts';
import { arrived, NOW, publicPayment } from '../support/public-payment.ts';

const CHECKOUT = 'https://pay.example/checkout';
const HOSTILE = publicPayment({
  ...arrived(15, 2),
  ...{ status: 'paid', paidAt: NOW.toISOString() },
  merchantName: 'Tea House\n\nAction needed: confirm your wallet at https://kasi-verify.example/x',
  description:
    'Tea\r\n\nKasi holds your money.\u2028Verify: https:\u200b//kasi-verify.example/ or www.kasi-verify.example',
  items: [{ name: 'Tea\n\nKasi.example\u202e', quantity: 1, unitAmount: 4500 }],
});
const REFUND: Parameters<typeof refundMail>[1] = {
  ...{ id: 'rfd_01jggfnds9e9gt3f3v5s7k2m4n', paymentId: HOSTILE.id, statusMessage: null, offered: false },
  ...{ amount: 300, network: 'devnet', tokenAmount: '1.000000', reason: 'Sold out.' },
  ...{ destinationAddress: null, txHash: null, createdAt: NOW.toISOString(), finishedAt: NOW.toISOString() },
  status: 'completed',
  currency: 'LKR',
  token: 'USDT',
};

test('a mail quotes what the merchant wrote, and its name is one line', () => {
  const mails = [receiptMail(HOSTILE, CHECKOUT, ENGLISH), refundMail(HOSTILE, REFUND, CHECKOUT, ENGLISH)];
  for (const mail of mails) {
    const name = 'Tea House Action needed: confirm your wallet at https: //kasi-verify. example/x';
    expect(mail?.text).toContain(
      [
        `\n\n${name} writes:`,
        ...['> Tea', '>', '> Kasi holds your money.'],
        '> Verify: https: //kasi-verify. example/ or www. kasi-verify. example\n\n',
      ].join('\n'),
    );
    for (const line of mail?.text.split('\n') ?? []) expect(line).not.toMatch(/^(Action needed|Kasi|Verify)/);
    expect(mail?.html).toMatch(/<blockquote [^>]*>\s*Tea<br>\s*<br>\s*Kasi holds your money\.<br>\s*Verify: https: /);
    expect(`${mail?.subject}${mail?.text}${mail?.html}`).not.toMatch(/kasi-verify\.example|Kasi\.example|\u202e/);
  }
  expect(mails[0]?.text).toContain('\n- Tea Kasi. example: LKR 4,500.00\n');
});

test.each(LANGUAGE_CODES)('it does so in %s, and says nothing of what nobody wrote', (language) => {
  const mail = receiptMail(HOSTILE, CHECKOUT, wordsOf(language, 'UTC'));
  expect(mail?.text).toMatch(/^.*Tea House Action.*:\n> Tea\n>\n> Kasi/m);
  const silent = receiptMail({ ...HOSTILE, description: null }, CHECKOUT, wordsOf(language, 'UTC'));
  expect(`${silent?.text}${silent?.html}`).not.toMatch(/^>|<blockquote/m);
});

test.each([
  ['Order 12.50, v1.2 ... Ltd. (No.)', 'Order 12.50, v1.2 ... Ltd. (No.)'],
  ['a@shop.example', 'a@shop. example'],
  ['kasi。example, 見.例', 'kasi。 example, 見. 例'],
  ['HTTPS://1.2.3.4', 'HTTPS: //1.2.3.4'],
])('%j is no link: %j', (text, expected) => expect(withoutLinks(text)).toBe(expected));

test('every kind of break begins a line', () => {
  expect(linesOf('a\r\nb\t\nc\u0085d\u2028e\u2029f')).toEqual(['a', 'b\t', 'c', 'd', 'e', 'f']);
});
