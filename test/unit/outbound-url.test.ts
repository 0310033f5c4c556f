import { describe, expect, test } from 'vitest';
import { createAddressPolicy } from '../../src/outbound/address.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';

const live = createOutbound({ sandbox: false, allowedPrivateCidrs: [] });
const sandbox = createOutbound({ sandbox: true, allowedPrivateCidrs: [] });
const allowing = createOutbound({ sandbox: false, allowedPrivateCidrs: ['10.1.0.0/16', 'fd00:1::/32'] });

/** Every notation of an address that is not public. */
const NOT_PUBLIC = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.255.255.254',
  ],
  ...['0.0.0.0', '0', '10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254'],
  ...['100.64.0.1', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '192.88.99.1', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16', '0xa83f8110'],
  ...['[::1]', '[::]', '[::7f00:1]', '[::8.8.8.8]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:10.0.0.1]'],
  ...[
    '[::ffff:169.254.169.254]',
    '[::ffff:168.63.129.16]',
    '[::ffff:0:127.0.0.1]',
    '[100:0:0:1::1]',
    '[400::1]',
    '[8000::1]',
    '[fe00::1]',
    '[fe80::1]',
    '[febf::1]',
    '[fc00::1]',
  ],
  ...[
    '[fd12:3456:789a::1]',
    '[fec0::1]',
    '[ff02::1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001::1]',
  ],
  ...['[2001:db8::1]', '[3fff::1]', '[100::1]', '[2001:10::1]', '[5f00::1]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'api.localhost', '①②⑦.⓪.⓪.①'],
];

describe('a URL saved in live mode', () => {
  test.each(NOT_PUBLIC)('is refused when its host is %s', (host) => {
    expect(live.checkUrl(`https://${host}/hooks`)).toMatch(/not reachable from the internet/);
  });

  test.each([
    ...[
      'https://shop.example',
      'https://shop.example:8443/hooks?token=1',
      'https://shop.example:443/',
      'https://8.8.8.8/',
    ],
    ...[
      'https://[2606:4700:4700::1111]/',
      'https://[::ffff:8.8.8.8]/',
      'https://xn--bcher-kva.example/',
      'HTTPS://SHOP.EXAMPLE',
    ],
    ...['https://172.32.0.1/', 'https://11.0.0.1/', 'https://localhost.example/', 'https://mylocalhost/'],
  ])('may be %s', (url) => {
    expect(live.checkUrl(url)).toBeUndefined();
  });

  test.each([
    ['http://shop.example', /must start with https:/],
    ['ftp://shop.example', /must start with https:/],
    ['file:///etc/passwd', /must start with https:/],
    ['javascript:alert(1)', /must start with https:/],
    ['https://user@shop.example', /user name or a password/],
    ['https://user:secret@shop.example', /user name or a password/],
    ['https://:secret@shop.example', /user name or a password/],
    ['https://shop.example:80', /port must be 443 or 8443/],
    ['https://shop.example:22', /port must be 443 or 8443/],
    ['https://shop.example:9443', /port must be 443 or 8443/],
    ['shop.example/hooks', /not a URL/],
    ['', /not a URL/],
    ['https://', /not a URL/],
    ['https://256.1.1.1/', /not a URL/],
    ['https://[fe80::1%25eth0]/', /not a URL/],
    [`https://shop.example/${'x'.repeat(2048)}`, /at most 2048/],
  ])('may not be %s', (url, problem) => {
    expect(live.checkUrl(url)).toMatch(problem);
  });

  test('may have up to 2048 characters', () => {
    expect(live.checkUrl('https://shop.example/'.padEnd(2048, 'x'))).toBeUndefined();
  });
});

describe('a URL saved in the sandbox', () => {
  test.each([
    'http://127.0.0.1:4242/hooks',
    'http://[::1]:80/',
    'http://localhost:3000',
    'http://0x7f.1/',
    'https://shop.example:22',
  ])('may be %s', (url) => {
    expect(sandbox.checkUrl(url)).toBeUndefined();
  });

  test.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest',
    'http://[fd00::1]/',
    'http://0.0.0.0:3000/',
    'http://168.63.129.16/',
  ])('may not be %s', (url) => {
    expect(sandbox.checkUrl(url)).toMatch(/not reachable/);
  });

  test('may use no other protocol and contain no password', () => {
    expect(sandbox.checkUrl('ws://127.0.0.1/')).toMatch(/must start with/);
    expect(sandbox.checkUrl('http://a:b@127.0.0.1/')).toMatch(/password/);
  });
});

describe('an allowed private network', () => {
  test.each(['https://10.1.2.3/', 'https://[::ffff:10.1.2.3]/', 'https://[fd00:1::5]/'])('allows %s', (url) => {
    expect(allowing.checkUrl(url)).toBeUndefined();
  });

  test.each(['https://10.2.0.1/', 'https://[fd00:2::5]/', 'https://127.0.0.1/', 'https://localhost/'])(
    'does not allow %s',
    (url) => {
      expect(allowing.checkUrl(url)).toMatch(/not reachable/);
    },
  );

  test('must be written as a CIDR', () => {
    expect(() => createOutbound({ sandbox: false, allowedPrivateCidrs: ['10.0.0.0'] })).toThrow();
  });
});

test('the address policy refuses text that is no IP address', () => {
  const isAllowed = createAddressPolicy({ allowLoopback: true, allowedPrivateCidrs: [] });
  for (const text of ['', 'localhost', 'shop.example', '8.8.8.8.8']) expect(isAllowed(text)).toBe(false);
});
