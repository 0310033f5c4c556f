import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy before a server, whose connections a test cuts, makes silent or leads to another server. */
export type TcpProxy = {
  readonly port: number;
  /** Drops all bytes in both directions from now on, and closes nothing. It still accepts connections. */
  readonly mute: () => void;
  /** The same for the connections that there are; new ones are passed on. */
  readonly forget: () => void;
  /** Ends the connections that there are; new ones are passed on again. */
  readonly restore: () => void;
  /** Leads new connections to another port from now on; those that there are stay. */
  readonly lead: (port: number) => void;
  readonly close: () => Promise<void>;
};

export async function startTcpProxy(to: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
  let { port } = to;
  const sockets = new Set<Socket>();
  const forgotten = new WeakSet<Socket>();
  let isMute = false;
  const join = (from: Socket, into: Socket): void => {
    sockets.add(from);
    from.on('data', (chunk) => {
      if (!isMute && !forgotten.has(from)) into.write(chunk);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      into.destroy();
    });
  };
  const server = createServer((client) => {
    const upstream = connect(port, to.host);
    join(client, upstream);
    join(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    mute: () => {
      isMute = true;
    },
    forget: () => {
      for (const socket of sockets) forgotten.add(socket);
    },
    restore: () => {
      isMute = false;
      cut();
    },
    lead: (next) => {
      port = next;
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
