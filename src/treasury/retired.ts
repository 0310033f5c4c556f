import { listCursorsElsewhere } from '../chains/cursors.ts';
import { listRecordedTokens } from '../deployment/unlisted.ts';
import type { Db } from '../lib/db-types.ts';
import { formatUnits } from '../lib/money.ts';
import type { Network } from '../ports/chain.ts';
import { listBalances } from './queries.ts';

/** A network that was read once and is not listed any more. */
export type Retired = {
  readonly network: string;
  /** The newest block that was read, and its time. */
  readonly height: number;
  readonly at: Date;
  /** What its treasuries held when that last agreed with their transfers, without what was nothing. */
  readonly held: readonly { readonly token: string; readonly amount: string; readonly height: number }[];
};

/** The networks that were read and are not among these: no chain says what became of what lay there. */
export async function listRetired(db: Db, networks: readonly Network[]): Promise<Retired[]> {
  const cursors = await listCursorsElsewhere(
    db,
    networks.map(({ name }) => name),
  );
  const retired: Retired[] = [];
  for (const { network, height, blockTime } of cursors) {
    const tokens = await listRecordedTokens(db, network);
    const held = (await listBalances(db, network)).filter(({ units }) => BigInt(units) > 0n);
    retired.push({
      ...{ network, height, at: blockTime },
      held: held.map(({ contract, units, height }) => {
        const token = tokens.find((each) => each.contract === contract);
        const amount = token === undefined ? `${units} units` : formatUnits(BigInt(units), token.decimals);
        return { token: token?.symbol ?? contract, amount, height };
      }),
    });
  }
  return retired;
}
