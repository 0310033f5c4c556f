import { listOfferedElsewhere, listRecordedTokens } from './deployment/unlisted.ts';
import type { Db, Trx } from './lib/db-types.ts';
import { isToken } from './ports/assets.ts';
import type { Network, Token, Unlisted } from './ports/chain.ts';
import { listNamedTokens, listOtherCollectors } from './subscriptions/mandates/queries.ts';

/**
 * What has to be read on a network although the list of this process, which started at `since`, lacks it. The watchers
 * and `npx kasi rescan` ask the same.
 */
export async function listUnlistedSince(db: Db | Trx, network: Network, since: Date): Promise<Unlisted> {
  const assets = await listOfferedElsewhere(db, network, since);
  const tokens = assets.filter(isToken);
  const native = assets.find((asset) => !isToken(asset));
  return {
    ...(native && { native }),
    tokens,
    collectors: await listOtherCollectors(db, network),
    formerTokens: await listOtherTokens(db, { ...network, tokens: [...network.tokens, ...tokens] }),
  };
}

/**
 * The tokens that mandates name and this process does not read: what a collector takes in one may be mined long after
 * it was taken off the list. A token is recorded before the first mandate names it.
 */
async function listOtherTokens(db: Db | Trx, { name, tokens, formerTokens = [] }: Network): Promise<Token[]> {
  const read = [...tokens, ...formerTokens].map(({ contract }) => contract);
  const others = (await listRecordedTokens(db, name)).filter(({ contract }) => !read.includes(contract));
  if (others.length === 0) return [];
  const contracts = others.map(({ contract }) => contract);
  const named = await listNamedTokens(db, name, contracts);
  return others.filter(({ contract }) => named.includes(contract));
}
