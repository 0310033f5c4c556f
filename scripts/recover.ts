/**
 * Looks on a network for what was paid to one deposit address before that network was listed here, and stores what is
 * not credited yet. The running service applies what is stored, and sweeps it; it reads the coin, which leaves no logs.
 * May be interrupted and repeated.
 */
import { findCursor } from '../src/chains/cursors.ts';
import { ForeignChainError } from '../src/chains/lease.ts';
import { describeUnread, UnreadBlockError } from '../src/chains/rescan.ts';
import { withUnlisted } from '../src/chains/steps.ts';
import { paymentMatcher } from '../src/payments/observe.ts';
import { recover } from '../src/treasury/recover.ts';
import { listUnlistedSince } from '../src/unlisted.ts';
import { openNetworks } from './lib/chains.ts';
import { Refusal, runOnDatabase, usage } from './lib/connection.ts';
import { complain, result, say } from './lib/output.ts';

const COIN_TEXTS = {
  read: 'the running service reads what the address holds within ten minutes, and credits what is new',
  swept: 'some was swept that was never credited, so nothing more is: it may have been given back by hand',
} as const;

await runOnDatabase(parse, async ({ db, config, clock }, { name, text }) => {
  const { networks, chains } = await openNetworks(config);
  const listed = networks.find((network) => network.name === name);
  if (listed === undefined) {
    const names = networks.map((each) => each.name).join(', ') || 'none';
    throw new Refusal(`No network "${name}" is listed in KASI_NETWORKS. Listed: ${names}.`);
  }
  const kind = chains.kindOf(listed);
  if (!kind.addresses.isAddress(text)) throw new Refusal(`${text} is not an address on ${name}.`);
  const cursor = await findCursor(db, name);
  if (cursor === undefined) throw new Refusal(`${name} was never scanned here: start the service first.`);
  const search = kind.openTreasury?.(listed);
  if (search === undefined) {
    throw new Refusal(`${name} can not be searched by address. Read its blocks again: npx kasi rescan.`);
  }
  const network = withUnlisted(listed, await listUnlistedSince(db, listed, clock.real()));
  const tell = (_: unknown, trouble: string | null): void => {
    if (trouble !== null) complain(`not read by every endpoint: ${trouble}`);
  };
  const reader = kind.openReader(network);
  const deps = { db, network, reader, tell, now: clock.now, matchers: [paymentMatcher] };
  const found = await recover(deps, search, cursor, kind.addresses.canonical(text)).catch((error: unknown) => {
    const isSaid = error instanceof UnreadBlockError || error instanceof ForeignChainError;
    throw isSaid ? new Refusal(error.message) : error;
  });
  if (found === undefined) throw new Refusal(`${text} is not the deposit address of any payment here.`);
  const { paymentId, from, to, transfers, credited, coin, unread } = found;
  result({ network: name, paymentId, from, to, transfers, credited, coin, unread });
  say(
    `${name}: blocks ${from} to ${to} were searched for ${paymentId}: ${transfers} transfers seen, ` +
      `${transfers - credited} known already, ${credited} credited now`,
  );
  if (coin !== null) say(`${network.native?.symbol}: ${COIN_TEXTS[coin]}`);
  if (unread.length > 0) throw new Refusal(unread.map(describeUnread).join('\n'));
});

function parse([name, text, ...more]: readonly string[]): { readonly name: string; readonly text: string } {
  if (name === undefined || text === undefined || more.length > 0) throw usage('recover');
  return { name, text };
}
