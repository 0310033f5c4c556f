import type { Db } from '../lib/db-types.ts';
import { notFound } from '../lib/errors.ts';
import type { HandlersOf } from '../ports/operation.ts';
import { presentEvent, presentSealedEvent } from './present.ts';
import { findEvent, listSealedEvents } from './queries.ts';

const LIMIT_DEFAULT = 20;

/** The operations of the tag `events`. */
export const eventHandlers = (deps: { readonly db: Db }): HandlersOf<'listEvents' | 'getEvent'> => ({
  listEvents: async ({ principal, query }) => {
    const limit = query.limit ?? LIMIT_DEFAULT;
    const after = BigInt(query.after ?? 0);
    // One extra row shows whether there are more.
    const rows = await listSealedEvents(deps.db, principal.merchantId, { after, limit: limit + 1 });
    return {
      status: 200,
      body: { data: rows.slice(0, limit).map(presentSealedEvent), hasMore: rows.length > limit },
    };
  },

  getEvent: async ({ principal, params }) => {
    const event = await findEvent(deps.db, principal.merchantId, params.id);
    if (!event) throw notFound('event');
    return { status: 200, body: presentEvent(event) };
  },
});
