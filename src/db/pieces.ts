import pg from 'pg';
import type { Descriptions, Statement, Wire, Wires } from './described.ts';

/** The connection of a client, on which messages wait to be sent as one: a write of many costs as much as one. */
export type PieceWire = Wires & {
  /** Ends the piece and sends it. */
  readonly send: () => void;
  readonly drop: () => void;
  /** Says that a statement was skipped, or could not be prepared. See decision db/prepared-by-name. */
  readonly unprepared: (name: string) => void;
  /** Whether the server is known to have prepared it. */
  readonly isPrepared: (name: string) => boolean;
};

/** What pieces of this client are sent over, one at a time. */
export function openWire(client: pg.ClientBase, descriptions: Descriptions): PieceWire {
  const { connection } = client as unknown as { readonly connection: Wire };
  let messages: Uint8Array[] = [];
  const unprepared = new Set<string>();
  const full: Wire = Object.create(connection, {
    _send: { value: (message: Uint8Array) => void messages.push(message) },
    sync: { value: () => undefined },
    parse: {
      value: (statement: { readonly name?: string }) => {
        const { name } = statement;
        if (name !== undefined && unprepared.delete(name)) connection.close.call(full, { type: 'S', name });
        connection.parse.call(full, statement);
      },
    },
  });
  const take = (): Uint8Array => {
    const whole = Buffer.concat(messages);
    messages = [];
    return whole;
  };
  return {
    full,
    descriptions,
    isPrepared: (name) => connection.parsedStatements[name] !== undefined,
    terse: Object.create(full, { describe: { value: () => undefined } }),
    send: () => {
      connection.sync.call(full);
      connection._send(take());
    },
    drop: () => void take(),
    unprepared: (name) => void unprepared.add(name),
  };
}

type Row = { readonly fields: readonly unknown[] };

type PieceTerms = {
  readonly areAlone?: boolean;
  /** Whether callers do not get this error, because the statements are sent again. */
  readonly isForgiven?: (error: Error) => boolean;
};

/**
 * Statements that pg sends and answers as if they were one query. PostgreSQL runs them in their order; when one fails
 * it skips the rest, which fail with the same error. So do those before it, unless they belong to no transaction
 * (`areAlone`): no work may go on with what a transaction has answered that is over.
 */
export function pieceOf(
  statements: readonly Statement[],
  wire: PieceWire,
  { areAlone = false, isForgiven = () => false }: PieceTerms = {},
) {
  let at = 0;
  const current = () => (statements[at] as Statement).exchange;
  const piece = {
    // A connection that pipelines takes nothing else.
    __proto__: pg.Query.prototype,
    // By these pg notes what it has prepared.
    name: statements[0]?.exchange.name,
    text: statements[0]?.exchange.text,
    // pg sets it.
    callback: undefined as ((error: Error | null) => void) | undefined,
    /** For how many statements the answer may take (`answers.ts`). */
    patience: areAlone ? 1 : statements.length,
    submit() {
      for (const { write } of statements) {
        const fault = write(wire);
        if (fault === null) continue;
        wire.drop();
        return fault;
      }
      wire.send();
      return null;
    },
    handleRowDescription: (message: object) => current().handleRowDescription(message),
    handleDataRow: (message: Row) => current().handleDataRow(message),
    handleCommandComplete(message: object, connection: Wire) {
      current().handleCommandComplete(message, connection);
      goOn();
    },
    handleEmptyQuery: () => goOn(),
    handleReadyForQuery(connection: Wire) {
      for (const { exchange } of statements) exchange.handleReadyForQuery(connection);
      this.callback?.(null);
    },
    handleError(error: Error, connection: Wire) {
      for (const { exchange } of statements.slice(at)) forget(exchange.name, connection, wire);
      whenOver(error, connection, () => {
        // After the last statement, it is their commit that has failed.
        const done = areAlone && at < statements.length ? at : 0;
        const isTold = !isForgiven(error);
        for (const { exchange } of statements.slice(0, done)) exchange.handleReadyForQuery(connection);
        if (isTold) for (const { exchange } of statements.slice(done)) exchange.handleError(error, connection);
        this.callback?.(error);
      });
    },
  };
  const goOn = (): void => {
    at += 1;
    piece.name = statements[at]?.exchange.name;
    piece.text = statements[at]?.exchange.text;
  };
  return piece;
}

/** Notes that the server may not have prepared a statement. */
function forget(name: string | undefined, connection: Wire, wire: PieceWire): void {
  if (name === undefined) return;
  delete connection.submittedNamedStatements[name];
  if (connection.parsedStatements[name] === undefined) wire.unprepared(name);
}

/**
 * Goes on once a transaction that has failed is over. The server says what was wrong before it lets go of what the
 * transaction has locked: work that is done again over another connection would meet its own locks.
 */
function whenOver(error: Error, connection: Wire, goOn: () => void): void {
  if (!(error instanceof pg.DatabaseError) || error.severity === 'FATAL') {
    goOn();
    return;
  }
  const go = (): void => {
    connection.off('readyForQuery', go);
    connection.off('end', go);
    goOn();
  };
  connection.on('readyForQuery', go);
  connection.on('end', go);
}

/** Why a statement of a transaction has no result: it was rolled back before. */
export class NotSent extends Error {}

const OPENING = /^(begin|start transaction)\b/;

/** Whether a text begins or ends a transaction, as Kysely does. */
export const isBoundary = (text: string): boolean => text === 'commit' || text === 'rollback' || OPENING.test(text);

/** What `inTransaction` begins with. */
const AS_ALWAYS = 'start transaction isolation level read committed';

/** Ends the text of a statement that goes before all that waits to be sent, though it was added after that. */
const GOES_FIRST = '/* first */';

/** Something that has to be sent by itself, such as several statements in one text. */
type Alone = { readonly run: () => Promise<unknown>; readonly drop: (why: Error) => void };

export type Line = {
  readonly isOpen: () => boolean;
  /** Adds a statement of the transaction, or one that begins or ends it, and returns its result. */
  readonly add: (statement: Statement) => Promise<unknown>;
  /** Sends statements outside of a transaction as one piece, and returns their results. */
  readonly addTogether: (statements: readonly Statement[]) => Promise<pg.QueryResult>[];
  /** Runs what has to be sent by itself after all that was added before. */
  readonly addAlone: (run: () => Promise<unknown>) => Promise<unknown>;
};

/** Sends a piece: of one transaction, unless its statements are alone. */
type Send = (statements: readonly Statement[], areAlone?: boolean) => Promise<unknown>;

/** How a line sends what it has. */
export type Sending = {
  readonly piece: Send;
  /** A piece that is a whole transaction, which may go over another connection. */
  readonly whole: Send;
  /** Whether one piece is a transaction of the level of `inTransaction`. */
  readonly isDefault: () => boolean;
};

/**
 * What one connection sends, one piece after the other. What begins a transaction goes with its first statement, and
 * what is added to it before anybody waits for an answer goes together. Where all of it does, and `isDefault` says so,
 * it is not begun. See decision db/statements-in-one-piece.
 */
export function openLine(sending: Sending): Line {
  const queue = openQueue(sending);
  let isOpen = false;
  /** Whether the last transaction has ended with its only piece, whatever became of it. */
  let isOver = false;
  const begin = (statement: Statement): Promise<unknown> => {
    queue.begin(statement);
    isOpen = true;
    isOver = false;
    statement.result.catch(() => undefined); // Those that go with it fail, too.
    return done('BEGIN');
  };
  const sendNow = (statement: Statement): Promise<unknown> => {
    queue.push(statement);
    queue.flush();
    return statement.result;
  };
  const end = (statement: Statement, command: 'COMMIT' | 'ROLLBACK'): Promise<unknown> => {
    isOpen = false;
    const last = command === 'COMMIT' && sending.isDefault() ? queue.unbegin() : undefined;
    if (last) {
      isOver = true;
      queue.flush(true);
      return last.result.then(() => done(command));
    }
    const isNeeded = queue.isBegun() || (command === 'COMMIT' && queue.length() > 1);
    if (command === 'ROLLBACK' || !isNeeded) queue.clear();
    return isNeeded ? sendNow(statement) : done(command);
  };
  return {
    isOpen: () => isOpen,
    add: (statement) => {
      const { text } = statement.exchange;
      if (OPENING.test(text)) return begin(statement);
      if (isOver && text === 'rollback') return done('ROLLBACK');
      if (!isOpen) return sendNow(statement);
      if (text === 'commit') return end(statement, 'COMMIT');
      if (text === 'rollback') return end(statement, 'ROLLBACK');
      if (text.endsWith(GOES_FIRST)) queue.pushFirst(statement);
      else queue.push(statement);
      process.nextTick(() => queue.flush()); // After all promises that need no answer.
      return statement.result;
    },
    addTogether: (statements) => {
      sending.piece(statements, true).catch(() => undefined); // Each says itself what became of it.
      return statements.map(({ result }) => result);
    },
    addAlone: (run) => {
      if (!isOpen) return run();
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      queue.push({ run: () => run().then(resolve, reject), drop: reject });
      process.nextTick(() => queue.flush()); // After what goes first.
      return promise;
    },
  };
}

/** What waits to be sent: one piece is out at a time. */
function openQueue({ piece, whole }: Sending) {
  let waiting: (Statement | Alone)[] = [];
  let isBusy = false;
  let isBegun = false;
  const take = (isWhole: boolean): Promise<unknown> => {
    if (isWhole) return whole(waiting.splice(0) as Statement[]);
    const [first] = waiting;
    if (first && 'run' in first) {
      waiting.shift();
      return first.run();
    }
    const end = waiting.findIndex((each) => 'run' in each);
    return piece(waiting.splice(0, end < 0 ? waiting.length : end) as Statement[]);
  };
  const flush = (isWhole = false): void => {
    if (isBusy || waiting.length === 0) return;
    isBusy = true;
    isBegun = true;
    const goOn = (): void => {
      isBusy = false;
      flush();
    };
    take(isWhole).then(goOn, goOn);
  };
  return {
    flush,
    /** Whether the server knows of the transaction. */
    isBegun: () => isBegun,
    length: () => waiting.length,
    push: (each: Statement | Alone): void => void waiting.push(each),
    /** Behind what begins the transaction, where that waits, too. */
    pushFirst: (statement: Statement): void => void waiting.splice(isBegun ? 0 : 1, 0, statement),
    begin: (statement: Statement): void => {
      isBegun = false;
      waiting.push(statement);
    },
    /**
     * Leaves out what begins a transaction of which all waits, because one piece is a transaction anyway. Returns its
     * last statement.
     */
    unbegin: (): Statement | undefined => {
      const [opening, ...rest] = waiting;
      const isWhole = !isBegun && opening !== undefined && 'exchange' in opening && !rest.some((each) => 'run' in each);
      if (!isWhole || opening.exchange.text !== AS_ALWAYS) return undefined;
      const last = rest.at(-1) as Statement | undefined;
      if (last) waiting = rest;
      return last;
    },
    clear: (): void => {
      const why = new NotSent('the transaction was rolled back before this was sent');
      for (const each of waiting) {
        if ('drop' in each) each.drop(why);
        else each.exchange.callback(why);
      }
      waiting = [];
    },
  };
}

/** The result of a statement that did not have to be sent. */
const done = (command: string): Promise<unknown> => Promise.resolve({ command, rowCount: null, rows: [] });
