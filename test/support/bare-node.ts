import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestService } from '../harness.ts';

/** Lets the service ask a node on which no account has code, for as long as `work` takes. */
export async function withBareNode(service: TestService, work: () => Promise<unknown>): Promise<void> {
  const node = createServer((_, answer) => void answer.end(JSON.stringify({ jsonrpc: '2.0', id: 0, result: '0x' })));
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const { port } = node.address() as AddressInfo;
  const network = service.service.platform.networks[0] as unknown as { rpcUrl: string };
  const { rpcUrl } = network;
  network.rpcUrl = `http://127.0.0.1:${port}`;
  try {
    await work();
  } finally {
    network.rpcUrl = rpcUrl;
    await new Promise((resolve) => node.close(resolve));
  }
}
