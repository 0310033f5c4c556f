import { expect, test } from 'vitest';
import { headerLine, isPlainAddress, recipientKey } from '../../src/mail/addresses.ts';

test.each([
  ...[
    'nimal@example.org',
    "o'neil+tea@sub.example.org",
    'නිමල්@උදාහරණ.example',
    'a.b-c_d/e=f@x-y.example',
    'a@xn--80ak6aa92e.com',
  ],
])('a mail can be addressed to %s', (address) => {
  expect(isPlainAddress(address)).toBe(true);
});

test.each([
  ...['a@b.example,c@d.example', 'a@b.example c@d.example', '"a b"@c.example', 'Nimal <a@b.example>', 'a@b.example>'],
  ...['a@b.example\r\nBcc: c@d.example', 'a@b@c.example', 'a@b', '@b.example', 'a@', 'a@[127.0.0.1]', 'a@b..example'],
  ...['a(comment)@b.example', 'group:a@b.example;', `${'a'.repeat(65)}@b.example`, 'a\u202e@b.example', 'a@-b.example'],
  `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.example.org`,
])('no mail goes to %j', (address) => {
  expect(isPlainAddress(address)).toBe(false);
});

test('an address is counted as one, whatever its case and what follows its plus', () => {
  for (const address of ['Nimal@Example.org', 'nimal+1@example.org', 'NIMAL+a+b@EXAMPLE.ORG'])
    expect(recipientKey(address)).toBe('nimal@example.org');
  expect(recipientKey('nimal@other.example')).not.toBe('nimal@example.org');
});

test('an address of Google is counted as the mailbox that it reaches: dots in it and the older name say nothing', () => {
  for (const address of ['nimal.perera@gmail.com', 'N.i.m.a.l.Perera+tea@gmail.com', 'nimalperera@GoogleMail.com'])
    expect(recipientKey(address)).toBe('nimalperera@gmail.com');
  expect(recipientKey('nimal.perera@example.org'), 'elsewhere they tell mailboxes apart').toBe(
    'nimal.perera@example.org',
  );
});

test('a line of a header has no breaks and nothing unseen, and keeps what joins letters', () => {
  expect(headerLine('Tea\r\nBcc: x@y.example\u0000\u2028\u202e House ')).toBe('Tea Bcc: x@y.example House');
  const [sinhala, set] = ['ශ්\u200dරී ලංකා', '\u2068קפה\u2069'];
  expect([headerLine(sinhala), headerLine(set)]).toEqual([sinhala, set]);
  expect([...headerLine('🍵'.repeat(300))]).toHaveLength(200);
});
