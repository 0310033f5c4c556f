import pg from 'pg';

type Field = { readonly name: string; readonly dataTypeID: number };

/** The columns of a statement's rows, as pg keeps them in its results; no row changes them. */
type Columns = {
  readonly fields: readonly Field[];
  readonly _parsers: readonly unknown[] | undefined;
  readonly _prebuiltEmptyResultObject: object | null;
};

/** What a statement is sent over; `terse` does not ask for the description of its rows. */
export type Wires = { readonly full: Wire; readonly terse: Wire; readonly descriptions: Descriptions };

/** A connection of pg, as far as its queries use it; its types leave that out. */
export type Wire = {
  readonly submittedNamedStatements: Record<string, string>;
  readonly parsedStatements: Record<string, string>;
  readonly parse: (statement: { readonly name?: string }) => void;
  readonly close: (what: { readonly type: 'S'; readonly name: string }) => void;
  readonly describe: (portal: object) => void;
  readonly _send: (message: Uint8Array) => void;
  readonly sync: () => void;
  readonly on: (event: 'readyForQuery' | 'end', listener: () => void) => void;
  readonly off: (event: 'readyForQuery' | 'end', listener: () => void) => void;
};

/** How pg's own query talks to the server. */
type Exchange = {
  name: string | undefined;
  readonly text: string;
  _result: Columns & { _types: unknown };
  _accumulateRows: boolean;
  _canceledDueToError: Error | false;
  callback: (error: Error | null, result?: pg.QueryResult) => void;
  prepare: (wire: Wire) => void;
  handleRowDescription: (message: object) => void;
  handleDataRow: (message: { readonly fields: readonly unknown[] }) => void;
  handleCommandComplete: (message: object, wire: Wire) => void;
  handleReadyForQuery: (wire: Wire) => void;
  handleError: (error: Error, wire: Wire) => void;
};

const PgQuery = pg.Query as unknown as {
  new (text: string, values: unknown[]): Exchange;
  readonly prototype: Exchange;
};

/** What one connection knows of its prepared statements, by name; null where a statement returns no rows. */
export type Descriptions = {
  readonly find: (name: string) => Columns | null | undefined;
  readonly keep: (name: string, columns: Columns | null) => void;
  readonly forget: (name: string) => void;
};

/** The columns that connections share, so that twenty of them keep the same ones once. */
export type SharedColumns = Map<string, Columns>;

/** What a new connection knows: nothing yet. It keeps columns that equal shared ones as the same object. */
export function openDescriptions(shared: SharedColumns): Descriptions {
  const known = new Map<string, Columns | null>();
  return {
    find: (name) => known.get(name),
    forget: (name) => void known.delete(name),
    keep: (name, columns) => {
      const before = shared.get(name);
      const kept = columns && before && areEqual(before, columns) ? before : columns;
      if (kept) shared.set(name, kept);
      known.set(name, kept);
    },
  };
}

const areEqual = (a: Columns, b: Columns): boolean =>
  a.fields.length === b.fields.length &&
  a.fields.every((field, at) => {
    const other = b.fields[at];
    return field.name === other?.name && field.dataTypeID === other.dataTypeID;
  });

export type StatementConfig = { readonly name?: string | undefined; readonly text: string; readonly values: unknown[] };

/** A statement on its way, and its result. */
export type Statement = {
  /** Another at each sending. */
  exchange: Omit<Exchange, 'prepare'>;
  readonly result: Promise<pg.QueryResult>;
  /** Writes its messages, without the one that ends a piece. Returns what is wrong with a value, if anything. */
  readonly write: (wires: Wires) => Error | null;
};

/** A statement, not sent yet. `types` are those of its client. */
export function toStatement(config: StatementConfig, types: unknown): Statement {
  const { promise: result, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
  let fault: Error | null = null;
  const open = (): Exchange => {
    // Of an object pg would copy every property by its descriptor.
    const exchange = new PgQuery(config.text, config.values);
    exchange.name = config.name;
    exchange._result._types = types;
    exchange.callback = (error, rows) => {
      fault = error;
      if (error) reject(error);
      else resolve(rows as pg.QueryResult);
    };
    return exchange;
  };
  let isSent = false;
  const statement = {
    exchange: open(),
    result,
    write: (wires: Wires): Error | null => {
      if (isSent) statement.exchange = open();
      isSent = true;
      const { exchange } = statement;
      const { descriptions } = wires;
      if (config.name !== undefined) describeOnce(exchange, config.name, descriptions);
      const columns = config.name === undefined ? undefined : descriptions.find(config.name);
      if (columns) Object.assign(exchange._result, columns);
      exchange._accumulateRows = true;
      exchange.prepare(columns === undefined ? wires.full : wires.terse);
      return fault;
    },
  };
  return statement;
}

/** Keeps what the server says of the rows, for the connection's next executions. See decision db/described-once. */
function describeOnce(exchange: Exchange, name: string, descriptions: Descriptions): void {
  const { handleRowDescription, handleDataRow, handleCommandComplete } = PgQuery.prototype;
  exchange.handleRowDescription = (message) => {
    handleRowDescription.call(exchange, message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = exchange._result;
    descriptions.keep(name, { fields, _parsers, _prebuiltEmptyResultObject });
  };
  exchange.handleDataRow = (message) => {
    if (message.fields.length === exchange._result.fields.length) return handleDataRow.call(exchange, message);
    // Only behind a pooler that has prepared the statement again by itself. It may have changed rows already.
    descriptions.forget(name);
    exchange._canceledDueToError ||= new Error(`the rows of the statement ${name} are not as they were described`);
  };
  exchange.handleCommandComplete = (message, wire) => {
    handleCommandComplete.call(exchange, message, wire);
    if (descriptions.find(name) === undefined && !exchange._canceledDueToError) descriptions.keep(name, null);
  };
}
