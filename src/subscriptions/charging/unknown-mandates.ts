import { sql } from 'kysely';
import { openIncidents } from '../../incidents/incidents.ts';
import type { Trx } from '../../lib/db-types.ts';
import { formatUnits } from '../../lib/money.ts';
import type { CollectorEvent } from '../../ports/chain.ts';

type Collected = CollectorEvent & { readonly kind: 'collected' };

/**
 * Tells people of collections by mandates that are not ours, each mandate once. Only our operator can collect, so either the database came back
 * older than the mandate, or somebody else has the operator's key: nothing else here would ever say so.
 */
export async function tellUnknown(trx: Trx, events: readonly CollectorEvent[], now: Date): Promise<void> {
  const unknown = await listUnknown(
    trx,
    events.filter((event) => event.kind === 'collected'),
  );
  const told = unknown.map((event) => ({ subject: event.mandateId, message: describe(event) }));
  await openIncidents(trx, 'subscription.unknown_mandate', told, now);
}

async function listUnknown(trx: Trx, collected: readonly Collected[]): Promise<Collected[]> {
  if (collected.length === 0) return [];
  const { rows } = await sql<{ at: number }>`
    select distinct on (e.id) e.at::integer as at
      from unnest(${collected.map(({ mandateId }) => mandateId)}::text[], ${collected.map(({ network }) => network)}::text[],
        ${collected.map(({ collector }) => collector)}::text[], ${collected.map(({ payer }) => payer)}::text[])
        with ordinality as e (id, network, collector, payer, at)
     where not exists (
       select from mandates m
        where m.id = e.id and m.network = e.network and m.collector = e.collector and m.payer = e.payer)
     order by e.id, e.at`.execute(trx);
  return rows.flatMap(({ at }) => collected[at - 1] ?? []);
}

function describe({ network, txHash, mandateId, payer, number, amountUnits, transfer }: Collected): string {
  const amount = transfer
    ? `${formatUnits(amountUnits, transfer.token.decimals)} ${transfer.token.symbol}`
    : `${amountUnits} units of a token that is not listed`;
  return (
    `Transaction ${txHash} on ${network} collected ${amount} from ${payer} as number ${number} of mandate ${mandateId}, which is not known ` +
    'here. If the database came back older, restore a newer copy of it or pay that back and have the payer revoke the mandate; if it did ' +
    "not, somebody else has the operator's key: pause the collector and replace its operator."
  );
}
