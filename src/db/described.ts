import pg from 'pg';

type Field = { readonly name: string; readonly dataTypeID: number };

/** The columns of a statement's rows, as pg keeps them in its results; no row changes them. */
type Columns = {
  readonly fields: readonly Field[];
  readonly _parsers: readonly unknown[] | undefined;
  readonly _prebuiltEmptyResultObject: object | null;
};

type Wire = {
  readonly describe: (portal: object) => void;
  readonly _send: (message: Uint8Array) => void;
  readonly sync: () => void;
};

/** How pg's own query talks to the server; its types leave that out. */
type Exchange = {
  _result: Columns;
  _accumulateRows: boolean;
  _canceledDueToError: Error | false;
  prepare: (wire: Wire) => void;
  handleRowDescription: (message: object) => void;
  handleDataRow: (message: { readonly fields: readonly unknown[] }) => void;
  handleCommandComplete: (message: object, wire: Wire) => void;
};

const PgQuery = pg.Query as unknown as { new (config: pg.QueryConfig): Exchange; readonly prototype: Exchange };

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

/**
 * A named statement that asks for the description of its rows only once per connection. See decision
 * db/described-once. `terse` is the connection of the query.
 */
export function describedQuery(
  config: pg.QueryConfig & { readonly name: string },
  descriptions: Descriptions,
  terse: Wire,
): object {
  const { name } = config;
  const query = new PgQuery(config);
  const { prepare, handleRowDescription, handleDataRow, handleCommandComplete } = PgQuery.prototype;
  query.prepare = (wire) => {
    const columns = descriptions.find(name);
    if (columns) Object.assign(query._result, columns);
    query._accumulateRows = true;
    prepare.call(query, columns === undefined ? wire : terse);
  };
  query.handleRowDescription = (message) => {
    handleRowDescription.call(query, message);
    const { fields, _parsers, _prebuiltEmptyResultObject } = query._result;
    descriptions.keep(name, { fields, _parsers, _prebuiltEmptyResultObject });
  };
  query.handleDataRow = (message) => {
    if (message.fields.length === query._result.fields.length) return handleDataRow.call(query, message);
    // Only behind a pooler that has prepared the statement again by itself. It may have changed rows already.
    descriptions.forget(name);
    query._canceledDueToError ||= new Error(`the rows of the statement ${name} are not as they were described`);
  };
  query.handleCommandComplete = (message, wire) => {
    handleCommandComplete.call(query, message, wire);
    if (descriptions.find(name) === undefined && !query._canceledDueToError) descriptions.keep(name, null);
  };
  return query;
}

/**
 * The same connection, on which a query does not ask for the description, and sends its messages as one piece: pg
 * writes each by itself, which takes the system several times as long.
 */
export function terseWire(client: pg.ClientBase): Wire {
  const { connection } = client as unknown as { readonly connection: Wire };
  let messages: Uint8Array[] = [];
  const terse: Wire = Object.create(connection, {
    describe: { value: () => undefined },
    _send: { value: (message: Uint8Array) => void messages.push(message) },
    sync: {
      value: () => {
        connection.sync.call(terse);
        const whole = Buffer.concat(messages);
        messages = [];
        connection._send(whole);
      },
    },
  });
  return terse;
}
