/**
 * Reconciles the ledger, and compares it with the chains. Exits with 0 if nothing is wrong, and with 1 after listing
 * every finding.
 */

import type { Config } from '../src/config.ts';
import { messageOf } from '../src/lib/errors.ts';
import { formatUnits } from '../src/lib/money.ts';
import { assetsOf } from '../src/ports/assets.ts';
import type { Network } from '../src/ports/chain.ts';
import { allFindings, type NetworkOutcome, reconcileChains } from '../src/reconcile/chains.ts';
import type { Finding } from '../src/reconcile/finding.ts';
import { FINDINGS_KEPT } from '../src/reconcile/following.ts';
import type { OutputComparison } from '../src/reconcile/outputs.ts';
import { reconcile } from '../src/reconcile/reconcile.ts';
import { rereadTreasury } from '../src/treasury/follow.ts';
import { listRetired, type Retired } from '../src/treasury/retired.ts';
import { openNetworks } from './lib/chains.ts';
import { Refusal, runOnDatabase, usage } from './lib/connection.ts';
import { isDocument, result, say } from './lib/output.ts';
import { sayingSometimes } from './lib/progress.ts';

const REREAD = '--reread';

await runOnDatabase(
  parse,
  async ({ db, config, clock }, { all, reread }) => {
    const { networks, chains } = await openNetworks(config);
    if (reread !== undefined && !networks.some(({ name }) => name === reread)) throw unlisted(reread, networks);
    if (reread !== undefined && !(await rereadTreasury(db, reread))) {
      throw new Refusal(`The treasury of ${reread} was never read. The service has to have begun to read the network.`);
    }
    // Said at once: what is wrong with one payment may be wrong with each of millions.
    const books = await reconcile(db, { onFinding: openList(), onProgress: sayingSometimes() });
    const { payments, credits, withdrawals, charges, entries } = books;
    const comparison = await reconcileChains({ db, networks, chains }, { now: clock.now(), all });
    const onChains = allFindings(comparison);
    const wrong = books.wrong + onChains.length;
    const retired = await listRetired(db, networks);
    result({
      wrong,
      findings: [...books.findings, ...onChains],
      checked: { payments, credits, withdrawals, charges, entries },
      networks: outcomesOf(comparison.outcomes),
      retired,
    });
    for (const finding of onChains) sayFinding(finding);
    const uncompared = networks
      .map(({ name }) => name)
      .filter((name) => comparison.outcomes.get(name)?.kind === 'failed');
    // One of several that is not listed was retired: dust in its treasury would be reported for ever.
    if (networks.length === 0 && retired.length > 0) uncompared.push('every network');
    say(
      `${verdictOf(wrong, uncompared)}: ${payments} payments, ${credits} transfers, ${withdrawals} withdrawals, ${charges} charges and ${entries} ledger entries were checked`,
    );
    for (const network of networks) describe(network, comparison.outcomes.get(network.name));
    if (networks.length > 0) for (const each of retired) say(describeRetired(each));
    if (networks.length === 0) say(`no chain was compared: ${whyNone(config)}`);
    if (wrong > 0 || uncompared.length > 0) process.exitCode = 1;
  },
  process.argv.includes(REREAD) ? 'works' : 'reads',
);

function sayFinding({ rule, subject, message }: Finding): void {
  say(`${rule}: ${subject}: ${message}`);
}

/** Says findings as they come; a document of millions could not be written, so it has the first of them. */
function openList(): (finding: Finding) => void {
  let count = 0;
  return (finding) => {
    count += 1;
    if (count <= FINDINGS_KEPT || !isDocument()) sayFinding(finding);
  };
}

/** That nothing is wrong is said only of what was looked at to its end. */
function verdictOf(wrong: number, uncompared: readonly string[]): string {
  const missing = `${uncompared.join(', ')} could not be compared with its chain`;
  if (wrong > 0) return uncompared.length === 0 ? `${wrong} wrong` : `${wrong} wrong, and ${missing}`;
  return uncompared.length === 0 ? 'nothing is wrong' : `nothing was found, but ${missing}`;
}

/** A live mode without networks is refused before. */
function whyNone({ dataDir }: Config): string {
  const ignored = process.env['KASI_NETWORKS'] ? ' KASI_NETWORKS is read with KASI_MODE=live only.' : '';
  return `no node of a sandbox runs for ${dataDir}, and EVM_RPC_URL names none.${ignored}`;
}

/** A network may be missing in the list by a mistake, too. Of what has no figures nothing is said but that. */
function describeRetired({ network, height, at, held, empty, unknown, unspent }: Retired): string {
  const read = `${network}: was read up to block ${height} of ${at.toISOString()}, and is not listed`;
  if (unspent !== null) return `${read}${describeUnspent(unspent)}`;
  if (held.length + empty.length === 0) return `${read}; what its treasury held was never compared`;
  const rest = unknown.length === 0 ? '' : `; what it held of ${unknown.join(', ')} is not known`;
  if (held.length === 0)
    return `${read}; its treasury held nothing of ${empty.join(', ')} when it was last compared${rest}`;
  const amounts = held.map(({ token, amount, height }) => `${amount} ${token} at block ${height}`).join(', ');
  return `${read}: its treasury held ${amounts}${rest}. List it again, or empty the treasury while it is listed`;
}

/** The change of what was spent is in no credit. */
function describeUnspent(unspent: NonNullable<Retired['unspent']>): string {
  const change = 'what came back as change is not known';
  if (unspent.length === 0) return `; nothing that was credited there is unspent as far as is known, and ${change}`;
  const amounts = unspent.map(({ token, amount }) => `${amount} ${token}`).join(', ');
  return `: of what was credited there ${amounts} is unspent as far as is known, and ${change}. List it again, or spend it while it is listed`;
}

/** Nothing of it is forgotten: without its chain it could not be read again. */
function unlisted(name: string, networks: readonly Network[]): Refusal {
  const names = networks.map((each) => each.name).join(', ') || 'none';
  return new Refusal(
    `No network "${name}" is listed in KASI_NETWORKS, so its treasury is never read here. Listed: ${names}.`,
  );
}

/** By network; of one that could not be compared, why. */
function outcomesOf(outcomes: ReadonlyMap<string, NetworkOutcome>): object {
  const entries = [...outcomes].map(([name, outcome]) => [
    name,
    outcome.kind === 'failed' ? { kind: outcome.kind, reason: messageOf(outcome.error) } : outcome,
  ]);
  return Object.fromEntries(entries);
}

function parse(args: readonly string[]): { readonly all: boolean; readonly reread: string | undefined } {
  const at = args.indexOf(REREAD);
  const reread = at < 0 ? undefined : args[at + 1];
  const known = args.filter((text) => text === '--all').length + (reread === undefined ? 0 : 2);
  if (known !== args.length) throw usage('reconcile');
  return { all: args.includes('--all'), reread };
}

function describe(network: Network, outcome: NetworkOutcome | undefined): void {
  const { name } = network;
  if (outcome !== undefined && outcome.kind !== 'failed' && outcome.payouts.payouts > 0) {
    say(`${name}: ${outcome.payouts.payouts} payouts were looked for`);
  }
  if (outcome === undefined || outcome.kind === 'nothing') {
    say(`${name}: there is nothing to compare yet`);
  } else if (outcome.kind === 'failed') {
    say(`${name}: could not be compared: ${messageOf(outcome.error)}`);
  } else if (outcome.kind === 'outputs') {
    describeOutputs(outcome.comparison);
  } else {
    const { block, addresses, figures } = outcome.comparison;
    say(`${name}, block ${block.height} (${block.hash}): ${addresses} deposit addresses were compared`);
    for (const { token, treasury, swept, flows = {}, unswept, stuck, astray } of figures) {
      const decimals = assetsOf(network).find(({ symbol }) => symbol === token)?.decimals ?? 0;
      const show = (amounts: Readonly<Record<string, bigint | undefined>>, between: string): string =>
        Object.entries(amounts)
          .flatMap(([name, units]) => (units === undefined ? [] : [`${name} ${signed(units, decimals)}`]))
          .join(between);
      const lying = show({ unswept, astray, stuck }, '; ');
      say(`  ${token}: ${show({ treasury }, '')} (${show({ swept, ...flows }, ', ')}); ${lying}`);
    }
  }
}

function describeOutputs({ network, coin, block, blocks, outputs, unspent, spent }: OutputComparison): void {
  const read = `${blocks} blocks were read again, with ${outputs} outputs to deposit addresses`;
  say(`${network}, block ${block.height} (${block.hash}): ${read}`);
  const show = (units: bigint): string => formatUnits(units, coin.decimals);
  say(`  ${coin.symbol}: unspent ${show(unspent)}; spent since the last comparison ${show(spent)}`);
}

function signed(units: bigint, decimals: number): string {
  return units < 0n ? `-${formatUnits(-units, decimals)}` : formatUnits(units, decimals);
}
