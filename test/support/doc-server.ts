import Fastify from 'fastify';
import { registerDocs } from '../../src/http/docs.ts';

/** The documentation on a server of its own, without the rest of the service. */
export async function startDocServer(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const app = Fastify({ forceCloseConnections: true });
  registerDocs(app, 'http://localhost:3000');
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { url, close: () => app.close() };
}
