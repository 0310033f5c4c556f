import { listCursorsElsewhere } from '../chains/cursors.ts';
import { listRecordedAssets } from '../deployment/unlisted.ts';
import type { Db } from '../lib/db-types.ts';
import { formatUnits } from '../lib/money.ts';
import { sumUnspent } from '../payments/swept.ts';
import type { Asset, Network } from '../ports/chain.ts';
import { findTreasuryCursor, listBalances, OUTPUTS, type TreasuryBalance } from './queries.ts';

/** A network that was read once and is not listed any more. */
export type Retired = {
  readonly network: string;
  /** The newest block that was read, and its time. */
  readonly height: number;
  readonly at: Date;
  /** What its treasuries held when that last agreed with their transfers, without what was nothing. */
  readonly held: readonly { readonly token: string; readonly amount: string; readonly height: number }[];
  /** Of which of its tokens that was nothing. */
  readonly empty: readonly string[];
  /** What it listed and has no figures: its coin, of which no balance is noted, and tokens that were never compared. */
  readonly unknown: readonly string[];
  /** Where its money lies in outputs, and they were compared: what was credited and is not known to be spent. */
  readonly unspent: readonly { readonly token: string; readonly amount: string }[] | null;
};

/** The networks that were read and are not among these: no chain says what became of what lay there. */
export async function listRetired(db: Db, networks: readonly Network[]): Promise<Retired[]> {
  const cursors = await listCursorsElsewhere(
    db,
    networks.map(({ name }) => name),
  );
  const retired: Retired[] = [];
  for (const { network, height, blockTime } of cursors) {
    const assets = await listRecordedAssets(db, network);
    const figures = figuresOf(assets, await listBalances(db, network));
    retired.push({ network, height, at: blockTime, ...figures, unspent: await readUnspent(db, network, height) });
  }
  return retired;
}

async function readUnspent(db: Db, network: string, height: number): Promise<Retired['unspent']> {
  if ((await findTreasuryCursor(db, network))?.watched !== OUTPUTS) return null;
  const sums = await sumUnspent(db, network, height);
  return sums.map(({ token, decimals, units }) => ({ token, amount: formatUnits(units, decimals) }));
}

function figuresOf(
  assets: readonly Asset[],
  balances: readonly TreasuryBalance[],
): Pick<Retired, 'held' | 'empty' | 'unknown'> {
  const assetOf = (contract: string) => assets.find((each) => each.contract === contract);
  // A token that was migrated has two contracts under one symbol.
  const nameOf = (contract: string): string => {
    const symbol = assetOf(contract)?.symbol;
    if (symbol === undefined) return contract;
    return assets.filter((each) => each.symbol === symbol).length > 1 ? `${symbol} (${contract})` : symbol;
  };
  const held = balances.filter(({ units }) => BigInt(units) > 0n);
  const nothing = balances.filter(({ contract }) => !held.some((each) => each.contract === contract));
  const unknown = assets.filter(({ contract }) => !balances.some((each) => each.contract === contract));
  return {
    held: held.map(({ contract, units, height }) => {
      const asset = assetOf(contract);
      const amount = asset === undefined ? `${units} units` : formatUnits(BigInt(units), asset.decimals);
      return { token: nameOf(contract), amount, height };
    }),
    empty: namesOf(nothing.map(({ contract }) => nameOf(contract))),
    unknown: namesOf(unknown.map(({ contract }) => nameOf(contract))),
  };
}

const namesOf = (names: readonly string[]): string[] => [...new Set(names)].toSorted();
