import { expect, test } from 'vitest';
import { isText } from '../../src/http/validation.ts';
import { inOneLine, inSentence, isName, isVisible, withoutHidden } from '../../src/lib/shown-text.ts';
import { ENGLISH, show, visit } from '../support/page-visit.ts';
import { publicLink } from '../support/public-payment.ts';

const BIDI = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067'];
const UNSEEN = ['\u00ad', '\u034f', '\u115f', '\u200b', '\u2060', '\u3164', '\ufeff', '\u{e0041}'];

test.each([...BIDI, '\u2068', '\u2069', ...UNSEEN])('%j is in no name, and is not shown', (character) => {
  expect(isName(`Tea${character}House`)).toBe(false);
  expect(isText(`Tea${character}House`), 'other texts may have it').toBe(true);
  expect(withoutHidden(`Tea${character}House`)).toBe('TeaHouse');
  expect(isVisible(character)).toBe(false);
});

test.each([
  ...['Ceylon Tea House', 'O’Neill’s “Tea” & Co. <1%>', 'චාමරගේ තේ කඩය, ශ්‍රී ලංකා', 'தேநீர் கடை', 'קפה', 'شاي'],
  ...['👩‍👩‍👧 ☕️', 'می‌خواهم', '-', '2'],
])('%j is a name, and stays as it is', (name) => {
  expect(isName(name)).toBe(true);
  expect(inOneLine(name)).toBe(name);
});

test.each(['', ' ', '\u00a0', '\u2800', '\u200d', '\ufe0f', 'Tea\nHouse', 'Tea\u2028House', 'Tea\u0085House'])(
  '%j is no name',
  (text) => expect(isName(text)).toBe(false),
);

test('an isolate stays that ends in its line, and nothing else that could close one of ours', () => {
  expect(withoutHidden('a\u2068b\u2068c\u2069d\u2069e')).toBe('a\u2068b\u2068c\u2069d\u2069e');
  expect(withoutHidden('a\u2069b\u2068c')).toBe('abc');
  expect(withoutHidden('a\u2068b\nc\u2069d\u202e')).toBe('ab\ncd');
});

test('in a sentence a text is one line, and set apart where it runs from right to left', () => {
  expect(inSentence(' Tea\r\n\u2028House\u202e ')).toBe('Tea House');
  expect(inSentence('קפה\u2069')).toBe('\u2068קפה\u2069');
  expect(inSentence('\u{1e900}')).toBe('\u2068\u{1e900}\u2069');
  const hostile = 'Tea\u202e\n\nKasi: confirm at https://x.example\u2069';
  expect(ENGLISH.say('contact', { merchant: hostile })).toBe(
    'Get in touch with Tea Kasi: confirm at https://x.example',
  );
  expect(ENGLISH.say('contact', { merchant: inSentence('קפה') }), 'a sentence in a sentence').toContain(
    'with \u2068\u2068קפה\u2069\u2069',
  );
});

test('no page shows what a merchant hides, and what a payer reads runs as it should', async () => {
  const [name, about] = ['\u202eTea\u200b House\u2069', 'Tea\u202e for two\nand\u2066 more'];
  const items = [{ name: 'T\u202eea', quantity: 2, unitAmount: 2250 }];
  const payment = await show({ merchantName: name, description: about, items });
  expect(payment).toContain('<bdi>Tea House</bdi>');
  expect(payment).toContain('Tea for two\nand more');
  expect(payment).toContain('<bdi>Tea</bdi>');
  const payerAmount = { min: 1, max: 99 };
  const readLink = async () => publicLink({ title: name, merchantName: name, description: about, payerAmount });
  const { body } = await visit('GET /pay/:slug', 'spring-workshop', { readLink });
  expect(body).toContain('<title>Tea House · Tea House</title>');
  expect(`${payment}${body}`).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/);
});
