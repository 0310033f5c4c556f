import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { assetsOf } from '../ports/assets.ts';
import type { Asset, Network, Token } from '../ports/chain.ts';

/**
 * Tokens of a network, and its coin, that this process's configuration does not list although payers may send them:
 * some process listed them after `since`, when this one started, or a payment that is not over offers them. See
 * decision chains/watched-while-offered.
 */
export async function listOfferedElsewhere(
  db: Db | Trx,
  network: Pick<Network, 'name' | 'tokens' | 'native'>,
  since: Date,
): Promise<Asset[]> {
  const listed = assetsOf(network).map(({ contract }) => contract);
  const { rows } = await sql<Asset>`
    select t.symbol, t.contract, t.decimals
      from deployment_tokens t join deployment_networks n on n.chain = t.chain
     where n.name = ${network.name} and not (t.contract = any (${listed}::text[]))
       and (t.made_at > ${since} or exists (
         select from ${openPaymentsOffering(sql`n.name`, { contract: sql`t.contract`, symbol: sql`t.symbol` })}))
     order by t.contract`.execute(db);
  return rows;
}

const isDollarToken = sql`t.symbol in ('USDT', 'USDC')`;

/** Every token that was ever listed on a network, without coins: those have no contract whose logs could be read. */
export async function listRecordedTokens(db: Db | Trx, network: string): Promise<Token[]> {
  const { rows } = await sql<Token>`
    select t.symbol, t.contract, t.decimals
      from deployment_tokens t join deployment_networks n on n.chain = t.chain
     where n.name = ${network} and ${isDollarToken} order by t.contract`.execute(db);
  return rows;
}

/** All that was ever listed on a network: the same with coins. */
export async function listRecordedAssets(db: Db | Trx, network: string): Promise<Asset[]> {
  const { rows } = await sql<Asset>`
    select t.symbol, t.contract, t.decimals
      from deployment_tokens t join deployment_networks n on n.chain = t.chain
     where n.name = ${network} order by t.contract`.execute(db);
  return rows;
}

/** These networks with every token that was ever listed there, for what is booked in one that no longer is. */
export async function withRecordedTokens(db: Db | Trx, networks: readonly Network[]): Promise<Network[]> {
  const wider: Network[] = [];
  for (const network of networks) {
    const others = (await listRecordedTokens(db, network.name)).filter(({ contract }) => !lists(network, contract));
    wider.push({ ...network, tokens: [...network.tokens, ...others] });
  }
  return wider;
}

const lists = ({ tokens }: Network, contract: string): boolean => tokens.some((token) => token.contract === contract);

/** The database's time, by which it is told when a token was recorded, whatever the clock of this process says. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('the database does not tell the time');
  return row.now;
}

/** What is offered: a token by its contract, a coin by its symbol, because an option in a coin has no contract. */
type Offered = { readonly contract: RawBuilder<unknown>; readonly symbol: RawBuilder<unknown> };

/**
 * The payments that are not over and offer a token or coin, as a table of a query; with a null contract anything on the
 * network. In these words three partial indexes answer, however many payments are over.
 */
export const openPaymentsOffering = (network: RawBuilder<unknown>, { contract, symbol }: Offered) => {
  const isToken = sql`${symbol} in ('USDT', 'USDC')`;
  const option = sql`jsonb_build_array(jsonb_strip_nulls(jsonb_build_object('network', ${network},
    'contract', case when ${isToken} then ${contract} end,
    'token', case when ${contract} is not null and not ${isToken} then ${symbol} end)))`;
  return sql`(
    select from payments where status in ('initiated', 'pending') and options @> ${option}
    union all
    select from payments where status = 'confirming' and source <> 'subscription' and options @> ${option}
    union all
    select from payments
     where status = 'confirming' and source = 'subscription' and options @> ${option}) as open_payments`;
};
