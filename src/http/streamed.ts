import { Readable } from 'node:stream';
import type { Turns } from './turns.ts';

/** A file that is made while it is sent, such as a statement: each piece costs a look into the database. */
export const isMadeInPieces = (body: unknown): body is AsyncGenerator<string, void> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body && !(body instanceof Readable);

/**
 * The pieces as a stream, of which each is made in a turn of its own: a reader who is slow holds none. It asks for one
 * after the other, as they are read. See decision http/half-for-one-caller.
 */
export const streamInTurns = (pieces: AsyncGenerator<string, void>, inTurn: Turns): Readable =>
  Readable.from(piecesInTurns(pieces, inTurn));

async function* piecesInTurns(pieces: AsyncGenerator<string, void>, inTurn: Turns): AsyncGenerator<string, void> {
  try {
    for (;;) {
      const piece = await inTurn(() => pieces.next());
      if (piece.done) return;
      yield piece.value;
    }
  } finally {
    await pieces.return();
  }
}
