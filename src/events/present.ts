import type { components } from '../../generated/api.ts';
import type { EventRow, SealedRow } from './queries.ts';

type Schemas = components['schemas'];

/** An entry of the feed. */
export const presentSealedEvent = (row: SealedRow): Schemas['SealedEvent'] => ({
  ...presentParts(row),
  position: Number(row.position),
  previousHash: row.previous_hash.toString('hex'),
  hash: row.hash.toString('hex'),
});

/** A single event, which may not be sealed yet. */
export const presentEvent = (row: EventRow): Schemas['RecordedEvent'] => ({
  ...presentParts(row),
  position: row.position === null ? null : Number(row.position),
  previousHash: row.previous_hash?.toString('hex') ?? null,
  hash: row.hash?.toString('hex') ?? null,
});

const presentParts = (row: Pick<EventRow, 'id' | 'type' | 'created_at' | 'body'>) => ({
  id: row.id,
  type: row.type as Schemas['EventType'],
  createdAt: row.created_at.toISOString(),
  body: row.body.toString('utf8'),
  // Only an event of a pruned payment has no body.
  pruned: row.body.length === 0,
});
