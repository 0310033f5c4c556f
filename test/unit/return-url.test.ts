import { expect, test } from 'vitest';
import { returnUrl } from '../../src/checkout/return-url.ts';

const ID = 'cs_01jggfq7w3e8yt1b4n6m9p2s5d';

test.each([
  ['https://shop.example/thanks', `https://shop.example/thanks?session_id=${ID}`],
  ['https://shop.example', `https://shop.example/?session_id=${ID}`],
  ['https://shop.example/thanks?', `https://shop.example/thanks?session_id=${ID}`],
  ['https://shop.example/t?order=7&note=a%20b+c', `https://shop.example/t?order=7&note=a%20b+c&session_id=${ID}`],
  ['https://shop.example/t?x=1&x=2&flag#done', `https://shop.example/t?x=1&x=2&flag&session_id=${ID}#done`],
  ['http://localhost:8080/#/order/7', `http://localhost:8080/?session_id=${ID}#/order/7`],
])('%s becomes %s', (url, expected) => {
  expect(returnUrl(url, ID)).toBe(expected);
});

test("a session_id already in the shop's URL is replaced", () => {
  expect(returnUrl('https://shop.example/t?session_id=old&a=1', ID)).toBe(
    `https://shop.example/t?a=1&session_id=${ID}`,
  );
  expect(returnUrl('https://shop.example/t?my_session_id=7', ID)).toBe(
    `https://shop.example/t?my_session_id=7&session_id=${ID}`,
  );
});
