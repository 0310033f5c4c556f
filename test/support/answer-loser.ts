import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from './database.ts';

/** A proxy before PostgreSQL that loses the answer to a command: what it has done stays, and its session ends. */
export type AnswerLoser = {
  readonly port: number;
  /**
   * Loses one answer: to a command of such a tag (as of `CommandComplete`) that comes after so many others. The end of
   * a transaction that was sent in one piece, without a commit, counts as `COMMIT`, too.
   */
  readonly lose: (tag: string | RegExp, others: number) => void;
  /** Loses none, if one was yet to be lost; returns whether it was lost. */
  readonly end: () => boolean;
  readonly close: () => Promise<void>;
};

/** A message of PostgreSQL begins with its kind and the length of what follows that. */
const HEAD = 5;
const COMPLETE = 'C';
const READY = 'Z';
/** Of `ReadyForQuery`: in no transaction. */
const IDLE = 'I';

/** What the messages of one connection say is done. */
function openTags(): (message: Buffer) => string | undefined {
  let piece: string[] = [];
  return (message) => {
    const [kind, said] = [message.toString('latin1', 0, 1), message.toString('latin1', HEAD)];
    if (kind === COMPLETE) {
      const tag = said.slice(0, -1);
      piece.push(tag);
      return tag;
    }
    if (kind !== READY) return undefined;
    const [tags, isOver] = [piece, said === IDLE];
    piece = [];
    const isWhole = tags.length > 1 && tags.every((tag) => /^(INSERT|UPDATE|DELETE|SELECT)/.test(tag));
    return isOver && isWhole && tags.some((tag) => !tag.startsWith('SELECT')) ? 'COMMIT' : undefined;
  };
}

export async function startAnswerLoser(to: { readonly host: string; readonly port: number }): Promise<AnswerLoser> {
  const sockets = new Set<Socket>();
  let losing: { readonly tag: string | RegExp; others: number } | null = null;
  const isToLose = (tag: string | undefined): boolean => {
    if (losing === null || tag === undefined) return false;
    if (typeof losing.tag === 'string' ? tag !== losing.tag : !losing.tag.test(tag)) return false;
    losing.others -= 1;
    if (losing.others >= 0) return false;
    losing = null;
    return true;
  };
  const server = createServer((client) => {
    const upstream = connect(to.port, to.host);
    const cut = (): void => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      // It writes message by message: each would wait for the acknowledgement of the one before.
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on('data', (chunk) => void upstream.write(chunk));
    const tagOf = openTags();
    let rest: Buffer = Buffer.alloc(0);
    upstream.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        if (rest.length < HEAD) return;
        const end = 1 + rest.readInt32BE(1);
        if (rest.length < end) return;
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        if (isToLose(tagOf(message))) return cut();
        client.write(message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lose: (tag, others) => {
      losing = { tag, others };
    },
    end: () => {
      const wasLost = losing === null;
      losing = null;
      return wasLost;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A database of its own that is reached through a loser of answers. */
export async function createLossyDatabase(): Promise<{ readonly database: TestDatabase; readonly loser: AnswerLoser }> {
  const database = await createTestDatabase();
  const { hostname: host, port } = new URL(database.url);
  const loser = await startAnswerLoser({ host, port: Number(port) });
  return {
    loser,
    database: { ...database, url: Object.assign(new URL(database.url), { port: String(loser.port) }).href },
  };
}
