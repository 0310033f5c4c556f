import pg from 'pg';

type Sender = { sync: () => void; query: (text: string) => void };

/** How often anything was sent to the databases of this process, to be answered as a whole, while `work` ran. */
export async function countPieces(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = (pg as unknown as { readonly Connection: { readonly prototype: Sender } }).Connection;
  const { sync, query } = prototype;
  let pieces = 0;
  prototype.sync = function (this: Sender) {
    pieces += 1;
    sync.call(this);
  };
  prototype.query = function (this: Sender, text: string) {
    pieces += 1;
    query.call(this, text);
  };
  try {
    await work();
  } finally {
    Object.assign(prototype, { sync, query });
  }
  return pieces;
}
