import { notFound } from '../../lib/errors.ts';
import type { PageAnswer, PageCall } from '../../ports/page.ts';
import type { Context } from './context.ts';

type Rgb = readonly [number, number, number];

const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable' };
/** What WCAG AA asks of text. */
const READABLE = 4.5;
const STEP = 0.02;
/** How much darker or lighter a button is under the pointer. */
const HOVER = 0.15;
const BLACK: Rgb = [0, 0, 0];
const WHITE: Rgb = [255, 255, 255];
/** `--well` of the light and the dark scheme, the worst background that the colour stands on (style-frame.css). */
const LIGHT_WELL: Rgb = [245, 244, 240];
const DARK_WELL: Rgb = [30, 34, 40];

/** A colour's style sheet. Anybody may ask for any colour: it depends on nothing else. */
export async function showBrand(_context: Context, { params }: PageCall): Promise<PageAnswer> {
  const [, hex] = /^([0-9a-f]{6})\.css$/.exec(params['file'] ?? '') ?? [];
  if (hex === undefined) throw notFound('colour');
  return { status: 200, type: 'text/css; charset=utf-8', body: brandStyle(hex), headers: FOR_EVER };
}

/** A merchant's logo. */
export async function showLogo({ deps }: Context, { params }: PageCall): Promise<PageAnswer> {
  const [, name] = /^([0-9a-f]{32})\.png$/.exec(params['file'] ?? '') ?? [];
  const body = name === undefined ? undefined : await deps.readLogo(name);
  if (body === undefined) throw notFound('logo');
  return { status: 200, type: 'image/png', body, headers: FOR_EVER };
}

/**
 * The style sheet of a colour, six hexadecimal digits: darkened for light pages and lightened for dark ones, no more
 * than it takes to be read on them.
 */
export function brandStyle(hex: string): string {
  const color: Rgb = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never;
  const [light, dark] = [readableOn(color, LIGHT_WELL, BLACK), readableOn(color, DARK_WELL, WHITE)];
  const rules = (accent: Rgb, hover: Rgb, on: Rgb): string =>
    `:root{--accent:${css(accent)};--accent-hover:${css(hover)};--on-accent:${css(on)}}`;
  return `${rules(light, mix(light, BLACK, HOVER), WHITE)}
@media (prefers-color-scheme:dark){${rules(dark, mix(dark, WHITE, HOVER), BLACK)}}
`;
}

/** The colour, mixed with `toward` until it can be read on `ground`. */
function readableOn(color: Rgb, ground: Rgb, toward: Rgb): Rgb {
  let share = 0;
  while (share < 1 && contrast(mix(color, toward, share), ground) < READABLE) share += STEP;
  return mix(color, toward, Math.min(share, 1));
}

const mix = (color: Rgb, toward: Rgb, share: number): Rgb =>
  color.map((part, at) => Math.round(part + ((toward[at] ?? 0) - part) * share)) as never;

/** The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const css = (color: Rgb): string => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
