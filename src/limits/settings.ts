import { type LimitName, type LimitRule, limitRules } from '../../generated/operations.ts';
import type { LimitRules } from '../ports/security.ts';

/** The operator's overrides of the contract's limits (`RATE_LIMITS`). */
export type LimitSettings = {
  /** Turns off every limit that is neither exact nor in `max`. */
  readonly off: boolean;
  /** By name, in place of the contract's. */
  readonly max: Partial<Readonly<Record<LimitName, number>>>;
};

const NAMES = Object.keys(limitRules) as LimitName[];
const MAX = 1_000_000_000;

/** Parses `requests=500,login=30`, `off`, or both. Returns a message for each invalid part and leaves that part out. */
export function parseLimitSettings(parts: readonly string[]): {
  readonly settings: LimitSettings;
  readonly problems: readonly string[];
} {
  const problems: string[] = [];
  const max: Partial<Record<LimitName, number>> = {};
  for (const part of parts.filter((each) => each !== 'off')) {
    const [name = '', value = ''] = part.split('=', 2).map((text) => text.trim());
    const number = Number(value);
    if (!isName(name)) problems.push(`knows no limit "${name}"; there are: ${NAMES.join(', ')}, and "off"`);
    else if (!/^\d+$/.test(value) || number < 1 || number > MAX)
      problems.push(`must say ${name}=<a whole number from 1 to ${MAX}>, not "${part}"`);
    else if (max[name] !== undefined) problems.push(`says twice what ${name} is`);
    else max[name] = number;
  }
  return { settings: { off: parts.includes('off'), max }, problems };
}

const isName = (name: string): name is LimitName => Object.hasOwn(limitRules, name);

/** The contract's limits times `scale`, with the operator's overrides, which are not scaled. */
export function limitsInForce(scale: number, { off, max }: LimitSettings): LimitRules {
  const kept = NAMES.filter((name) => limitRules[name].exact || !off || max[name] !== undefined);
  return Object.fromEntries(
    kept.map((name): [LimitName, LimitRule] => {
      const rule = limitRules[name];
      return [name, { ...rule, max: max[name] ?? rule.max * scale }];
    }),
  );
}
