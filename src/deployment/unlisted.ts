import { sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Network, Token } from '../ports/chain.ts';

/**
 * Tokens of a network that this process's configuration does not list although payers may send them: some process
 * listed them after `since`, when this one started, or a payment that is not over offers them. See
 * decision chains/watched-while-offered.
 */
export async function listOfferedElsewhere(
  db: Db | Trx,
  { name, tokens }: Pick<Network, 'name' | 'tokens'>,
  since: Date,
): Promise<Token[]> {
  const listed = tokens.map(({ contract }) => contract);
  const { rows } = await sql<Token>`
    select t.symbol, t.contract, t.decimals
      from deployment_tokens t join deployment_networks n on n.chain = t.chain
     where n.name = ${name} and not (t.contract = any (${listed}::text[]))
       and (t.made_at > ${since} or exists (
         select from payments p
          where p.status in ('initiated', 'pending', 'confirming') and p.options @> jsonb_build_array(
            jsonb_build_object('network', n.name, 'contract', t.contract))))
     order by t.contract`.execute(db);
  return rows;
}
