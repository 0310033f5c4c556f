import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { createRpc, readHead, toHex } from '../../src/sandbox/anvil.ts';
import { controlChain } from '../../src/sandbox/chain-control.ts';
import { startDevChain } from '../../src/sandbox/dev-chain.ts';
import { startAnvil } from '../support/anvil.ts';
import { makeTestFolder } from '../support/run-folder.ts';

const noon = new Date('2026-03-01T12:00:00.000Z');

test('an external node mines, moves its clock forward only, and replaces its blocks', async () => {
  const node = await startAnvil({ timestamp: noon.getTime() / 1000 });
  try {
    const chain = controlChain(node.url);
    await chain.mine(120);
    const head = await readHead(createRpc(node.url));
    expect(head.height).toBe(120);
    const later = new Date('2026-03-06T12:00:00.000Z');
    const began = performance.now();
    const set = await chain.setTime(later);
    // The node's clock goes on until it mines.
    const passed = Math.ceil((performance.now() - began) / 1000) * 1000;
    expect(set.getTime()).toBeGreaterThanOrEqual(later.getTime());
    expect(set.getTime()).toBeLessThanOrEqual(later.getTime() + passed);
    expect((await chain.setTime(noon)).getTime()).toBeGreaterThanOrEqual(later.getTime());
    await chain.reorg(2, true);
    const after = await readHead(createRpc(node.url));
    expect(after.height).toBe(122);
    await expect(chain.reorg(123, true)).rejects.toMatchObject({ code: 'CONFLICT' });
  } finally {
    await node.stop();
  }
});

test('a reorg that keeps the transactions loses none of those that arrive meanwhile', async () => {
  const node = await startAnvil({ timestamp: noon.getTime() / 1000 });
  try {
    const rpc = createRpc(node.url);
    const chain = controlChain(node.url);
    await chain.mine(10);
    const [from] = await rpc<string[]>('eth_accounts');
    const hashes: string[] = [];
    // With its gas: in the middle of a reorganisation the node can't estimate, and asks for too much.
    const transfer = { from, to: from, value: '0x1', gas: toHex(21_000) };
    let sending = true;
    const send = async () => {
      for (let nonce = 0; nonce < 60; nonce += 1) {
        hashes.push(await rpc('eth_sendTransaction', [{ ...transfer, nonce: toHex(nonce) }]));
      }
    };
    const reorganise = async () => {
      while (sending) await chain.reorg(3, true);
    };
    const stop = () => {
      sending = false;
    };
    await Promise.all([send().finally(stop), reorganise()]);
    const lost = async () => {
      const known = await Promise.all(hashes.map((hash) => rpc('eth_getTransactionReceipt', [hash])));
      return known.filter((receipt) => receipt === null);
    };
    // The node mines what it was sent a moment after it has answered.
    await expect.poll(lost).toEqual([]);
    expect(await rpc('anvil_getAutomine')).toBe(true);
  } finally {
    await node.stop();
  }
});

test('a reorg loses no transaction of a node that goes on mining for a moment after it was told to stop', async () => {
  const node = await startAnvil({ timestamp: noon.getTime() / 1000 });
  const lagging = await startLagging(node.url, 25);
  try {
    const rpc = createRpc(node.url);
    const chain = controlChain(lagging.url);
    await chain.mine(10);
    const [from] = await rpc<string[]>('eth_accounts');
    for (let round = 0; round < 5; round += 1) {
      const reorganised = chain.reorg(3, true);
      await lagging.stopAsked();
      const transfer = { from, to: from, value: '0x1', gas: toHex(21_000), nonce: toHex(round) };
      await sleep(20);
      const hash = await rpc('eth_sendTransaction', [transfer]);
      await reorganised;
      await expect.poll(() => rpc('eth_getTransactionReceipt', [hash])).not.toBeNull();
    }
  } finally {
    await lagging.stop();
    await node.stop();
  }
});

test('a reorg loses no transaction while the clock is moved', async () => {
  const node = await startAnvil({ timestamp: noon.getTime() / 1000 });
  try {
    const rpc = createRpc(node.url);
    const chain = controlChain(node.url);
    await chain.mine(30);
    const [from] = await rpc<string[]>('eth_accounts');
    let reorganising = true;
    const hashes: string[] = [];
    const pay = async () => {
      for (let nonce = 0; reorganising; nonce += 1) {
        const transfer = { from, to: from, value: '0x1', gas: toHex(21_000), nonce: toHex(nonce) };
        hashes.push(await rpc('eth_sendTransaction', [transfer]));
        await sleep(15);
      }
    };
    const moveClock = async () => {
      for (let hour = 1; reorganising; hour += 1) {
        await chain.setTime(new Date(noon.getTime() + hour * 3_600_000));
        await sleep(60);
      }
    };
    const reorganise = async () => {
      for (let round = 0; round < 6; round += 1) await chain.reorg(20, true);
      reorganising = false;
    };
    await Promise.all([pay(), moveClock(), reorganise()]);
    const lost = async () => {
      const known = await Promise.all(hashes.map((hash) => rpc('eth_getTransactionReceipt', [hash])));
      return known.filter((receipt) => receipt === null).length;
    };
    await expect.poll(lost).toBe(0);
    expect(hashes.length).toBeGreaterThan(10);
  } finally {
    await node.stop();
  }
});

test('a reorg ends beside another process that never stops mining', async () => {
  const node = await startAnvil({ timestamp: noon.getTime() / 1000 });
  try {
    const rpc = createRpc(node.url);
    const chain = controlChain(node.url);
    await chain.mine(10);
    let ended = false;
    const mineOn = async () => {
      while (!ended) {
        await rpc('evm_mine');
        await sleep(20);
      }
    };
    const reorganise = async () => {
      await chain.reorg(3, true).finally(() => {
        ended = true;
      });
    };
    const late = sleep(40_000).then(() => {
      ended = true;
      throw new Error('it did not end');
    });
    await Promise.race([Promise.all([mineOn(), reorganise()]), late]);
    expect(await rpc('anvil_getAutomine')).toBe(true);
  } finally {
    await node.stop();
  }
});

/** Answers for a node at once, and tells it a moment later to stop mining. */
async function startLagging(url: string, lagMs: number) {
  let asked = Promise.withResolvers<void>();
  const forward = async (body: string): Promise<string> =>
    (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
    response.setHeader('content-type', 'application/json');
    if (method === 'evm_setAutomine' && params[0] === false) {
      setTimeout(() => void forward(body), lagMs);
      asked.resolve();
      response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: null }));
      return;
    }
    response.end(await forward(body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stopAsked: async () => {
      await asked.promise;
      asked = Promise.withResolvers();
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test("a reorg past the node's own restart is refused with the node's reason, and changes nothing", async () => {
  const dataDir = makeTestFolder(inject('runFolder'));
  const options = { dataDir, now: noon, log: () => undefined };
  const first = await startDevChain(options);
  await first.mine(5);
  await first.stop();
  const again = await startDevChain(options);
  try {
    const rpc = createRpc(again.rpcUrl);
    const head = await readHead(rpc);
    // An external node was restarted: how far back it reaches is unknown.
    await expect(controlChain(again.rpcUrl).reorg(3, true)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('the node can not replace so many blocks'),
    });
    expect(await readHead(rpc)).toEqual(head);
  } finally {
    await again.stop();
  }
});

test('an unreachable node is SERVICE_UNAVAILABLE', async () => {
  await expect(controlChain('http://127.0.0.1:1').mine(1)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
