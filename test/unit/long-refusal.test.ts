import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createJsonRpc } from '../../src/chains/json-rpc.ts';
import { leastOfFive } from '../support/least.ts';
import { cpuOf } from '../support/turns.ts';

// The words that tell of a limit were sought in the square of the refusal's length: 300 KB took four seconds.
test('a refusal of many words is soon read', { timeout: 60_000 }, async () => {
  const message = 'exceeded '.repeat(33_000);
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => response.end(JSON.stringify({ id: 0, error: { code: -32_000, message } })));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const request = createJsonRpc({ url, name: 'node', timeoutMs: 60_000, batchMax: 1 });
    const took = await leastOfFive(1_000, () => cpuOf(() => expect(request('eth_chainId', [])).rejects.toThrow('…')));
    expect(took).toBeLessThan(1_000);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
