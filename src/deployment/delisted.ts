import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { assetsOf } from '../ports/assets.ts';
import type { Network } from '../ports/chain.ts';
import type { KnownNetwork } from './compare.ts';
import { listKnownNetworks } from './network-queries.ts';

/** A token or coin that is no longer listed; with an empty contract the whole network. */
type Delisting = { readonly network: string; readonly contract: string };

/** So long a mistake in the list can be mended before anything comes to an end. See decision deployment/delisted. */
const FOR_GOOD = sql`interval '1 hour'`;

/** Every list was noted again and again meanwhile, so no running process has what is still missing then. */
const UNCONTESTED = sql`interval '3 minutes'`;

/** The names of networks that are delisted for good, as a query of one column. What a process watches is not. */
export const delistedNetworks = sql`(
  select d.network from delisted d left join chain_cursors c on c.network = d.network
   where d.contract = '' and greatest(d.since, c.watched_at) < clock_timestamp() - ${FOR_GOOD})`;

/** Those of these networks that are not delisted for good. */
export async function listLasting(db: Db | Trx, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${[...names]}::text[]) as n (name) where name not in ${delistedNetworks}`.execute(db);
  return rows.map(({ name }) => name);
}

/** A token of which no contract is listed; `forGood`: none of them for an hour. */
export type UnlistedToken = { readonly network: string; readonly symbol: string; readonly forGood: boolean };

/** The tokens, by network and symbol, of which no contract is listed any more. */
export async function listUnlistedTokens(db: Db | Trx): Promise<UnlistedToken[]> {
  const { rows } = await sql<UnlistedToken>`
    select n.name as network, t.symbol, bool_and(d.for_good) as "forGood"
      from deployment_networks n join deployment_tokens t on t.chain = n.chain
      cross join lateral (
        select count(*) > 0 as unlisted,
               coalesce(bool_or(case d.contract when '' then d.network in ${delistedNetworks}
                 else d.since < clock_timestamp() - ${FOR_GOOD} end), false) as for_good
          from delisted d where d.network = n.name and d.contract in ('', t.contract)) d
     group by n.name, t.symbol having bool_and(d.unlisted)`.execute(db);
  return rows;
}

/**
 * Notes the list of a running process: what it has is not delisted, and what it lacks is from now on, unless it was
 * before. While another process has that in its list, the next note of that process forgets it again.
 */
export async function noteList(db: Db, listed: readonly Network[]): Promise<void> {
  const known = await listKnownNetworks(db);
  const gone = JSON.stringify(known.flatMap((each) => delistedOf(each, listed)));
  const rows = sql`jsonb_to_recordset(${gone}::jsonb) as g (network text, contract text)`;
  await sql`
    delete from delisted d where not exists (
      select from ${rows} where g.network = d.network and g.contract = d.contract)`.execute(db);
  await sql`
    insert into delisted (network, contract)
    select g.network, g.contract from ${rows} order by g.network, g.contract on conflict do nothing`.execute(db);
}

function delistedOf({ name, tokens }: KnownNetwork, listed: readonly Network[]): Delisting[] {
  const network = listed.find((each) => each.name === name);
  if (network === undefined) return [{ network: name, contract: '' }];
  return tokens
    .filter(({ contract }) => !assetsOf(network).some((asset) => asset.contract === contract))
    .map(({ contract }) => ({ network: name, contract }));
}

/** What no running process lists, for good or not yet, with the token's symbol, null for a whole network. */
export async function listDelisted(
  db: Db,
): Promise<(Delisting & { readonly symbol: string | null; readonly isReplaced: boolean; readonly since: Date })[]> {
  const { rows } = await sql<Delisting & { symbol: string | null; isReplaced: boolean; since: Date }>`
    select d.network, d.contract, d.since, t.symbol, exists (
             select from deployment_tokens o where o.chain = t.chain and o.symbol = t.symbol and not exists (
               select from delisted x where x.network = d.network and x.contract = o.contract)) as "isReplaced"
      from delisted d left join deployment_networks n on n.name = d.network
      left join deployment_tokens t on t.chain = n.chain and t.contract = d.contract
     where d.since < clock_timestamp() - ${UNCONTESTED}
     order by d.network, d.contract`.execute(db);
  return rows;
}
