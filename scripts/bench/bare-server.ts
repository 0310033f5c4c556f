/**
 * The simplest route that shows one payment: no authentication, validation or contract. Its statement is named, so
 * that PostgreSQL plans it once, as it does ours. Arguments: database URL, port.
 */
import Fastify from 'fastify';
import pg from 'pg';

const [url, port] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: 20 });
const app = Fastify();
app.get('/payments/:id', async (request) => {
  const { id } = request.params as { id: string };
  const { rows } = await pool.query({
    name: 'payment',
    text: 'select * from payments where id = $1',
    values: [id],
  });
  return rows[0];
});
await app.listen({ host: '127.0.0.1', port: Number(port) });
process.send?.('ready');
