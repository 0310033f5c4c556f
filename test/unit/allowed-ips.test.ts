import { expect, test } from 'vitest';
import { isAllowed, parseAllowedIps } from '../../src/api-keys/addresses.ts';

test.each([
  [[], '203.0.113.7', true],
  [['203.0.113.7'], '203.0.113.7', true],
  [['203.0.113.7'], '203.0.113.8', false],
  [['203.0.113.7'], '::ffff:203.0.113.7', true],
  [['203.0.113.0/24'], '203.0.113.255', true],
  [['203.0.113.0/24'], '203.0.114.0', false],
  [['203.0.113.0/24'], '2001:db8::1', false],
  [['2001:db8::/48'], '2001:db8:0:ffff::1', true],
  [['2001:db8::/48'], '2001:db8:1::1', false],
  [['2001:DB8:0::1'], '2001:db8::1', true],
  [['198.51.100.1', '203.0.113.0/24'], '203.0.113.9', true],
  [['0.0.0.0/0'], '203.0.113.7', true],
  [['0.0.0.0/0'], 'unknown', false],
  [['::ffff:203.0.113.0/120'], '203.0.113.9', true],
  [['::ffff:203.0.113.0/120'], '::ffff:203.0.114.9', false],
])('the list %j allows %s: %s', (texts, ip, allowed) => {
  expect(isAllowed(parseAllowedIps(texts), ip)).toBe(allowed);
});

test('a list is stored without duplicates, each address in its canonical form', () => {
  expect(parseAllowedIps(['2001:DB8::0:1', '2001:db8::1', '203.0.113.0/24'])).toEqual([
    '2001:db8::1',
    '203.0.113.0/24',
  ]);
});

test.each([
  '203.0.113',
  '010.0.0.1',
  '203.0.113.256',
  '203.0.113.0/33',
  '2001:db8::/129',
  '::g',
  '1',
  '/24',
  '203.0.113.7/',
  '192.168/16',
  '10/8',
  '010.0.0.0/8',
  '0x0a.0.0.0/8',
])('%s is refused as neither an address nor a range', (text) => {
  expect(() => parseAllowedIps(['203.0.113.7', text])).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR', fields: [expect.objectContaining({ path: 'allowedIps.1' })] }),
  );
});
