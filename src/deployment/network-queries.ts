import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Asset } from '../ports/chain.ts';
import type { OwnContract } from '../ports/chain-kind.ts';
import type { Difference, KnownNetwork } from './compare.ts';

/** Where the scan of a network stands that was begun before chains were told apart by what they are. */
export type UnnamedCursor = {
  readonly network: string;
  readonly genesisHash: string;
  /** A scanned block: the deepest one that counts as confirmed and is still known, or the cursor. */
  readonly height: number;
  readonly hash: string;
};

/** Every chain that the database knows. */
export async function listKnownNetworks(db: Db | Trx): Promise<KnownNetwork[]> {
  const networks = await db.selectFrom('deployment_networks').selectAll().orderBy('made_at').orderBy('name').execute();
  const names = await db.selectFrom('deployment_names').selectAll().orderBy('made_at').execute();
  const contracts = await db.selectFrom('deployment_contracts').selectAll().orderBy('made_at').execute();
  const tokens = await db.selectFrom('deployment_tokens').selectAll().orderBy('made_at').execute();
  return networks.map(({ chain, kind, name, genesis_hash }) => ({
    ...{ chain, kind, name, genesisHash: genesis_hash },
    names: names.filter((row) => row.chain === chain).map((row) => row.name),
    contracts: contracts
      .filter((row) => row.chain === chain)
      .map(({ role, address, treasury }) => ({ role, address, treasury }) as OwnContract),
    tokens: tokens
      .filter((row) => row.chain === chain)
      .map(({ symbol, contract, decimals }) => ({ symbol, contract, decimals }) as Asset),
  }));
}

/** The cursors of networks whose chain is not recorded. */
export async function listUnnamedCursors(db: Db | Trx): Promise<UnnamedCursor[]> {
  const { rows } = await sql<{ network: string; genesis_hash: string; height: bigint; hash: string }>`
    select c.network, c.genesis_hash, coalesce(b.height, c.height) as height, coalesce(b.hash, c.hash) as hash
      from chain_cursors c
      left join lateral (
        select height, hash from chain_blocks
         where network = c.network and height <= greatest(c.confirmed_height, c.height - 64)
         order by height desc limit 1
      ) b on true
     where c.network not in (select name from deployment_names)
     order by c.height desc`.execute(db);
  return rows.map(({ network, genesis_hash, height, hash }) => ({
    ...{ network, hash, genesisHash: genesis_hash, height: Number(height) },
  }));
}

/** Records a chain at first sight. */
export async function insertNetwork(trx: Trx, { chain, kind, name }: Omit<KnownNetwork, 'genesisHash'>): Promise<void> {
  await sql`
    insert into deployment_networks (chain, kind, name, genesis_hash)
    values (${chain}, ${kind}, ${name}, (select genesis_hash from chain_cursors where network = ${name}))`.execute(trx);
}

/** Records one more name of a chain. */
export async function insertName(trx: Trx, chain: string, name: string): Promise<void> {
  await trx.insertInto('deployment_names').values({ chain, name }).execute();
}

/** Records contracts of ours that a chain was not known to have. */
export async function insertContracts(trx: Trx, chain: string, contracts: readonly OwnContract[]): Promise<void> {
  if (contracts.length === 0) return;
  const rows = contracts.map(({ role, address, treasury }) => ({ chain, role, address, treasury }));
  await trx.insertInto('deployment_contracts').values(rows).execute();
}

/** Records tokens and coins that were not listed before. */
export async function insertTokens(trx: Trx, chain: string, tokens: readonly Asset[]): Promise<void> {
  if (tokens.length === 0) return;
  const rows = tokens.map(({ contract, symbol, decimals }) => ({ chain, contract, symbol, decimals }));
  await trx.insertInto('deployment_tokens').values(rows).execute();
}

/** Forgets a chain that was never watched and that no payment offers; false when it was. */
export async function forgetNetwork(trx: Trx, chain: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select forget_network(${chain}) as done`.execute(trx);
  return rows[0]?.done ?? false;
}

/** Corrects a token that nobody was offered; a trigger refuses it for others. */
export async function correctToken(trx: Trx, chain: string, { contract, symbol, decimals }: Asset): Promise<void> {
  await trx
    .updateTable('deployment_tokens')
    .set({ symbol, decimals })
    .where('chain', '=', chain)
    .where('contract', '=', contract)
    .execute();
}

/** Whether anything stored depends on what the difference is about. */
export async function isUsed(db: Db | Trx, name: string, difference: Difference): Promise<boolean> {
  const { rows } =
    difference.kind === 'other token'
      ? await sql<{ used: boolean }>`
          select exists (select from credits where network = ${name} and contract = ${difference.recorded.contract})
              or exists (select from payments where options @> jsonb_build_array(
                   jsonb_build_object('network', ${name}::text, 'contract', ${difference.recorded.contract}::text)))
              as used`.execute(db)
      : difference.kind === 'factory gone'
        ? await sql<{ used: boolean }>`
          select exists (select from payments where lower(factory_address) = ${difference.address.toLowerCase()})
              as used`.execute(db)
        : difference.kind === 'account gone'
          ? await sql<{ used: boolean }>`
            select exists (select from bitcoin_deposits where account = ${difference.address}) as used`.execute(db)
          : { rows: [{ used: true }] };
  return rows[0]?.used ?? true;
}
