import type { BlockPlace, PayoutTestimony, Testimony } from '../ports/chain.ts';

/** What an endpoint shows instead of what it was asked for. */
export type Denial = Omit<Testimony['deny'][number], 'endpoint'>;

/** What an endpoint says of transfers in a block; undefined: it does not say. */
export type Statement = 'agrees' | Denial | undefined;

/** A denial that may be a gap in what the endpoint knows. */
export const unsure = (what: string): Denial => ({ what, certain: false, otherBlock: false });

/** What an endpoint says that denies something in each of several assets. It is less only where it is so in each. */
export function denialOf(denials: readonly Denial[]): Denial | undefined {
  const seen = denials.filter(({ has }) => has !== undefined);
  const said = seen[0] ?? denials.find(({ certain }) => !certain) ?? denials[0];
  return said?.short === true && !seen.every(({ short }) => short === true) ? { ...said, short: false } : said;
}

/** What endpoints said of transfers, together. */
export const testimonyOf = (heard: readonly { readonly endpoint: string; readonly said: Statement }[]): Testimony => ({
  agree: heard.flatMap(({ endpoint, said }) => (said === 'agrees' ? [endpoint] : [])),
  deny: heard.flatMap(({ endpoint, said }) => (typeof said === 'object' ? [{ endpoint, ...said }] : [])),
  silent: heard.flatMap(({ endpoint, said }) => (said === undefined ? [endpoint] : [])),
});

/** Whether each of what is asked for is shown, as often as it is asked for. A block may have thousands. */
export function showsEach(shown: Iterable<string>, asked: Iterable<string>): boolean {
  const left = new Map<string, number>();
  for (const each of shown) left.set(each, (left.get(each) ?? 0) + 1);
  for (const each of asked) {
    const count = left.get(each) ?? 0;
    if (count === 0) return false;
    left.set(each, count - 1);
  }
  return true;
}

/** Whether two endpoints have shown the same. One that denies does not outweigh two that agree, but it is named. */
export function secondOpinionOf({ agree, deny }: Testimony): 'agreed' | 'differs' | 'absent' {
  if (agree.length > 1) return 'agreed';
  return deny.length > 0 ? 'differs' : 'absent';
}

/**
 * What became of something counted, now that its block should be final. `gone` needs all that answer to say so beyond a
 * doubt: two of them, or the only one of the network. A list that merely lacks it proves nothing. See
 * decision payments/looked-at-again-when-final.
 */
export function finalOpinionOf({ agree, deny, silent }: Testimony): 'there' | 'gone' | 'unclear' {
  if (agree.length > 0 && (deny.length === 0 || agree.length > 1)) return 'there';
  if (agree.length > 0 || deny.length === 0) return 'unclear';
  const enough = deny.length > 1 || silent.length === 0;
  return enough && deny.every(({ certain }) => certain) ? 'gone' : 'unclear';
}

/** Whether one endpoint alone shows it, while others do not say: it may be the one that lies. */
export const isAlone = ({ agree, deny, silent }: Testimony): boolean =>
  agree.length === 1 && deny.length === 0 && silent.length > 0;

/**
 * Whether something counted is gone although its block may still change. An endpoint that shows another block proves
 * nothing yet: the chain may return to the first one, and a reorg is the watcher's to find.
 */
export const isGoneBeforeFinal = (testimony: Testimony): boolean =>
  finalOpinionOf(testimony) === 'gone' && !testimony.deny.some(({ otherBlock }) => otherBlock);

/** What one endpoint said of a payout: the block that it shows it in, a denial, or nothing. */
export type PayoutStatement = {
  readonly endpoint: string;
  readonly said: BlockPlace | Denial | undefined;
};

/**
 * What endpoints said of a payout, together. Those agree that show it in one block, the one that most of them show;
 * where another one has it in another block, that is a denial.
 */
export function payoutTestimonyOf(statements: readonly PayoutStatement[]): PayoutTestimony {
  const shown = statements.flatMap(({ said }) => (said && 'hash' in said ? [said] : []));
  const [most] = [...Map.groupBy(shown, ({ hash }) => hash).values()].sort((a, b) => b.length - a.length);
  const block = most?.[0] ?? null;
  const testimony = { agree: [] as string[], deny: [] as Testimony['deny'][number][], silent: [] as string[] };
  for (const { endpoint, said } of statements) {
    if (said === undefined) testimony.silent.push(endpoint);
    else if (!('hash' in said)) testimony.deny.push({ endpoint, ...said });
    else if (said.hash === block?.hash) testimony.agree.push(endpoint);
    else {
      const what = `has it in block ${said.height} (${said.hash})`;
      testimony.deny.push({ endpoint, what, certain: false, otherBlock: true, has: 'block' });
    }
  }
  return { ...testimony, block };
}

/** Whether all that speak say that it is in a block that is not final yet: nothing to disagree about. */
export const isOnlyEarly = ({ agree, deny }: Testimony): boolean =>
  agree.length === 0 && deny.every(({ early }) => early === true);

/** Whether it is there with less than was due, for good: two say so, or the only one, and all that answer. */
export const isShort = ({ agree, deny, silent }: Testimony): boolean =>
  agree.length === 0 &&
  deny.length > 0 &&
  deny.every(({ short }) => short === true) &&
  (silent.length === 0 || deny.length > 1);

/** Whether any endpoint has it: in a final block, in a later one, or in its pool. */
export const isSeen = ({ agree, deny }: Testimony): boolean =>
  agree.length > 0 || deny.some(({ has }) => has !== undefined);

/** Who said what, as the rest of a sentence; names hosts only. */
export function describeTestimony({ agree, deny, silent }: Testimony): string {
  return [
    ...agree.map((endpoint) => `${endpoint} shows it`),
    ...deny.map(({ endpoint, what }) => `${endpoint} ${what}`),
    ...silent.map((endpoint) => `${endpoint} does not say`),
  ].join('; ');
}
