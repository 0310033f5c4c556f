import type { Trx } from '../lib/db-types.ts';
import type { Matcher, Network } from '../ports/chain.ts';
import { markUpTo } from './follow.ts';
import {
  findTreasuryCursor,
  listBalances,
  listSweptBetween,
  lowerTreasuryCursor,
  replaceTransfers,
  saveBalance,
  sumFlows,
} from './queries.ts';

const NONE_ABOVE = Number.MAX_SAFE_INTEGER;
const PAGE = 1000;

/**
 * Takes back what was read of the treasuries in blocks that a reorg replaced although they were confirmed. Stores no
 * sightings: transfers are read by ranges (decision treasury/read-by-range). It has to come before the matchers that
 * write credits, because `followTreasury` locks its cursor first, too.
 */
export const treasuryMatcher = (networks: readonly Network[]): Matcher => ({
  observe: async () => undefined,
  concerns: async () => false,
  orphan: async (trx, name, height, now) => {
    const network = networks.find((each) => each.name === name);
    const cursor = network && (await findTreasuryCursor(trx, name, true));
    // What lies above the cursor is read again anyway.
    if (!cursor || cursor.height <= height) return;
    const parties = await listParties(trx, name, height);
    await lowerBalances(trx, name, height);
    await replaceTransfers(trx, name, height + 1, NONE_ABOVE, [], new Set());
    await lowerTreasuryCursor(trx, name, height);
    await markUpTo(trx, network, parties, height, now);
  },
});

/** The deposit addresses that were swept in the blocks above `height`. */
async function listParties(trx: Trx, network: string, height: number): Promise<string[]> {
  const parties: string[] = [];
  for (;;) {
    const blocks = { after: height, to: NONE_ABOVE };
    const page = await listSweptBetween(trx, network, blocks, parties.at(-1) ?? '', PAGE);
    parties.push(...page);
    if (page.length < PAGE) return parties;
  }
}

/** What treasuries held at `height`, where that was noted at a block above it. */
async function lowerBalances(trx: Trx, network: string, height: number): Promise<void> {
  for (const balance of await listBalances(trx, network)) {
    if (balance.height <= height) continue;
    const { contract, treasury } = balance;
    const flows = await sumFlows(trx, network, height, balance.height);
    const {
      swept = 0n,
      direct = 0n,
      spent = 0n,
    } = flows.find((each) => each.contract === contract && each.treasury === treasury) ?? {};
    await saveBalance(trx, network, { contract, treasury, height, units: balance.units - swept - direct + spent });
  }
}
