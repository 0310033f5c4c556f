/**
 * Reads confirmed blocks of a network again, for everything that is watched at present, and stores what was missed. The
 * running service credits what is stored. May run beside it and beside another rescan, be interrupted, and be repeated.
 */
import { findCursor } from '../src/chains/cursors.ts';
import { ForeignChainError } from '../src/chains/lease.ts';
import { describeUnread, findRangeProblem, rescan, UnreadBlockError } from '../src/chains/rescan.ts';
import type { BlockRange } from '../src/chains/rescan-queries.ts';
import { withUnlisted } from '../src/chains/steps.ts';
import { monotonicMs, SECOND_MS } from '../src/lib/clock.ts';
import { paymentMatcher } from '../src/payments/observe.ts';
import { subscriptionMatcher } from '../src/subscriptions/settling/observe.ts';
import { listUnlistedSince } from '../src/unlisted.ts';
import { openNetworks } from './lib/chains.ts';
import { Refusal, runOnDatabase, usage } from './lib/connection.ts';
import { complain, progress, result, say } from './lib/output.ts';

const TELL_EVERY_MS = 2 * SECOND_MS;

await runOnDatabase(parse, async ({ db, config, clock }, { name, range }) => {
  const { networks, chains } = await openNetworks(config);
  const listed = networks.find((network) => network.name === name);
  if (listed === undefined) {
    const names = networks.map((network) => network.name).join(', ') || 'none';
    throw new Refusal(`No network "${name}" is listed in KASI_NETWORKS, so none is read again. Listed: ${names}.`);
  }
  const problem = findRangeProblem(listed, await findCursor(db, name), range);
  if (problem !== null) throw new Refusal(problem);
  const network = withUnlisted(listed, await listUnlistedSince(db, listed, clock.real()));
  let toldAtMs = monotonicMs();
  const tell = ({ next, credited }: { readonly next: number; readonly credited: number }, trouble: string | null) => {
    if (trouble !== null) complain(`not read by every endpoint: ${trouble}`);
    if (monotonicMs() - toldAtMs < TELL_EVERY_MS) return;
    toldAtMs = monotonicMs();
    progress(`${name}: read up to block ${next - 1} of ${range.to}, ${credited} transfers credited so far`);
  };
  const { transfers, credited, unread } = await rescan(
    {
      ...{ db, network, tell, now: clock.now, matchers: [paymentMatcher, subscriptionMatcher] },
      reader: chains.kindOf(network).openReader(network),
    },
    range,
  ).catch((error: unknown) => {
    const isSaid = error instanceof UnreadBlockError || error instanceof ForeignChainError;
    throw isSaid ? new Refusal(error.message) : error;
  });
  const known = Math.max(0, transfers - credited);
  result({ network: name, ...range, transfers, known, credited, unread });
  say(
    `${name}: ${range.to - range.from + 1} blocks were read again: ${transfers} transfers to deposit addresses seen, ` +
      `${known} known already, ${credited} credited now`,
  );
  if (unread.length > 0) throw new Refusal(unread.map(describeUnread).join('\n'));
});

function parse(args: readonly string[]): { readonly name: string; readonly range: BlockRange } {
  const [name, ...heights] = args;
  const isRight = heights.length === 2 && heights.every((text) => /^\d{1,15}$/.test(text));
  if (name === undefined || !isRight) throw usage('rescan');
  return { name, range: { from: Number(heights[0]), to: Number(heights[1]) } };
}
