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
  ...['a@1.2.3.44', 'a@0x7f.11', 'a@１２７.0.0.11', 'a@⑴.example'],
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

test('an address of Proton is counted as the mailbox that it reaches, at each of its names', () => {
  for (const address of ['nimal.perera@proton.me', 'Nimal-Perera+tea@protonmail.com', 'n_i_m_a_l.perera@pm.me'])
    expect(recipientKey(address)).toBe('nimalperera@proton.me');
});

test.each([
  ...[1, 2, 3].map((n) => [`any${n}+tea@Nimal.fastmail.com`, 'nimal@fastmail.com']),
  ['nimal+tea@fastmail.com', 'nimal@fastmail.com'],
  ['nimal-perera@ya.ru', 'nimal.perera@yandex.ru'],
  ['Nimal.Perera@yandex.com', 'nimal.perera@yandex.ru'],
  ['nimalperera@yandex.ru', 'nimalperera@yandex.ru'],
  ['nimal+1@me.com', 'nimal@icloud.com'],
])('%s is counted as %s, the mailbox that it reaches at a server with several ways to write it', (address, reached) => {
  expect(recipientKey(address ?? '')).toBe(reached);
});

test.each([
  ['nimal@ｇｍａｉｌ.com', 'nimal@gmail.com'],
  ['nimal@\u{1d420}\u{1d426}\u{1d41a}\u{1d422}\u{1d425}.com', 'nimal@gmail.com'],
  ['ni.mal@ＧoogleMail.com', 'nimal@gmail.com'],
  ['nimal@xn--mnchen-3ya.example', 'nimal@münchen.example'],
  ['nimal@mu\u0308nchen.example', 'nimal@münchen.example'],
  ['ｎimal@example.org', 'nimal@example.org'],
  ['nime\u0301@example.org', 'nimé@example.org'],
])('%s is counted as %s, which it reaches: there are thousands of ways to write a name', (address, reached) => {
  expect(recipientKey(address)).toBe(reached);
  expect(recipientKey(reached)).toBe(reached);
});

test('a line of a header has no breaks and nothing unseen, and keeps what joins letters', () => {
  expect(headerLine('Tea\r\nBcc: x@y.example\u0000\u2028\u202e House ')).toBe('Tea Bcc: x@y.example House');
  const [sinhala, set] = ['ශ්\u200dරී ලංකා', '\u2068קפה\u2069'];
  expect([headerLine(sinhala), headerLine(set)]).toEqual([sinhala, set]);
  expect([...headerLine('🍵'.repeat(300))]).toHaveLength(200);
});
