import { expect, test } from 'vitest';
import { brandStyle, contrast } from '../../src/checkout/pages/brand.ts';
import { brandView } from '../../src/checkout/pages/brand-view.ts';

type Rgb = readonly [number, number, number];
const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never;
const colorsOf = (hex: string) => {
  const found = [...brandStyle(hex).matchAll(/--(accent|accent-hover|on-accent):(#[0-9a-f]{6})/g)];
  const named = (from: number) =>
    Object.fromEntries(found.slice(from, from + 3).map(([, name, value]) => [name, value]));
  return { light: named(0), dark: named(3) } as Record<'light' | 'dark', Record<string, string>>;
};
/** The backgrounds of the pages on which the colour stands as text. */
const GROUNDS = { light: ['#ffffff', '#f5f4f0'], dark: ['#0d0f12', '#16191e', '#1e2228'] };

test.for(['000000', 'ffffff', 'ffff00', '0000ff', 'ff0000', '00ff00', '808080', '8a1f4b', 'f5f4f0', '1e2228'])(
  '#%s can be read on every page, and so can what stands on it',
  (hex) => {
    const colors = colorsOf(hex);
    for (const scheme of ['light', 'dark'] as const) {
      const { accent = '', 'accent-hover': hover = '', 'on-accent': on = '' } = colors[scheme];
      for (const ground of GROUNDS[scheme]) {
        expect(contrast(rgb(accent), rgb(ground)), `${accent} on ${ground}`).toBeGreaterThanOrEqual(4.5);
      }
      for (const button of [accent, hover]) {
        expect(contrast(rgb(on), rgb(button)), `${on} on ${button}`).toBeGreaterThanOrEqual(4.5);
      }
    }
  },
);

test('a colour that can be read stays as it is', () => {
  expect(colorsOf('8a1f4b').light['accent']).toBe('#8a1f4b');
  expect(colorsOf('58d5a8').dark['accent']).toBe('#58d5a8');
});

test('contrast is that of WCAG', () => {
  expect(contrast(rgb('#000000'), rgb('#ffffff'))).toBe(21);
  expect(contrast(rgb('#777777'), rgb('#ffffff'))).toBeCloseTo(4.48, 2);
});

test('pages load a logo from their own origin, wherever its address points', () => {
  const logoUrl = `https://pay.example/checkout/logo/${'a'.repeat(32)}.png`;
  expect(brandView({ base: '/checkout' }, { color: '#8a1f4b', logoUrl })).toEqual({
    style: '/checkout/brand/8a1f4b.css',
    logo: `/checkout/logo/${'a'.repeat(32)}.png`,
  });
  expect(brandView({ base: '' }, { color: null, logoUrl: null })).toEqual({ style: null, logo: null });
});
