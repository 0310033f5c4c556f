import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { type Client, createClient } from '../../clients/typescript/src/index.ts';
import { blocks } from '../docs/guide.ts';
import type { KasiProcess } from '../support/kasi-process.ts';

/** What an example prints is there within this. */
export const SOON = { timeout: 60_000, interval: 50 };

/** Who reads a client's README beside a service that runs: its demo merchant. */
export type Reader = {
  readonly merchant: Client;
  readonly merchantId: string;
  /** The environment of an example, with a new API key. */
  readonly environment: () => Promise<Record<string, string>>;
};

export async function readerOf({ url, demo }: KasiProcess): Promise<Reader> {
  const merchant = createClient({ baseUrl: url });
  const merchantId = (await merchant.auth.login(demo)).merchant.id;
  const environment = async (): Promise<Record<string, string>> => {
    const { apiKey, apiSecret } = await merchant.apiKeys.create({ name: 'README' });
    return { KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret, KASI_MERCHANT_ID: merchantId };
  };
  return { merchant, merchantId, environment };
}

type Here = {
  readonly kasi: KasiProcess;
  /** What else has to be another here, such as the port that an example listens on. */
  readonly ports?: Readonly<Record<string, string>>;
};

/** Where examples are, and the language of their fences. */
const READMES = {
  project: ['README.md', 'ts'],
  typescript: ['clients/typescript/README.md', 'ts'],
  python: ['clients/python/README.md', 'python'],
  php: ['clients/php/README.md', 'php'],
} as const;

/**
 * The examples of a README in their order there, one for each name, with the address and the credentials of
 * this service. All else stays as its readers see it.
 */
export async function examplesOf<Name extends string>(
  readme: keyof typeof READMES,
  names: readonly Name[],
  { kasi, ports = {} }: Here,
): Promise<readonly { readonly name: Name; readonly text: string }[]> {
  const [path, fence] = READMES[readme];
  const texts = blocks(await readFile(path, 'utf8'), fence);
  expect(texts).toHaveLength(names.length);
  const filled = {
    'http://localhost:3000': kasi.url,
    'owner@teahouse.example': kasi.demo.email,
    'Str0ng-enough': kasi.demo.password,
    ...ports,
  };
  return names.map((name, index) => ({
    name,
    text: Object.entries(filled).reduce((text, [shown, real]) => text.replaceAll(shown, real), texts[index] ?? ''),
  }));
}

/**
 * Starts a program that keeps running until its test ends; `printed` is what it has written so far: its output, then
 * its log. Python may write a line and its end apart, and a server logs from another thread between the two.
 */
export function startExample(
  [program, ...args]: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>>,
): { readonly printed: () => string; readonly ended: Promise<unknown> } {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill());
  const texts = [child.stdout, child.stderr].map((stream) => {
    const chunks: string[] = [];
    stream.on('data', (chunk) => chunks.push(String(chunk)));
    return chunks;
  });
  return { printed: () => texts.flat().join(''), ended: new Promise((end) => child.once('exit', end)) };
}

/** What strangers do to a server: one breaks off in the middle of its body, another keeps it waiting for the rest. */
async function disturb(port: number): Promise<void> {
  const half = 'POST / HTTP/1.1\r\nHost: shop.example\r\nContent-Length: 100\r\n\r\n{';
  for (const stays of [true, false]) {
    const stranger = connect(port, '127.0.0.1');
    await once(stranger, 'connect');
    await new Promise<unknown>((sent) => stranger.write(half, sent));
    if (stays) onTestFinished(() => void stranger.destroy());
    else stranger.destroy();
  }
}

/** Expects a server to answer 400 to what is not genuine, also after strangers disturbed it. */
export async function outlivesStrangers(port: number): Promise<void> {
  await disturb(port);
  // The second finds a server that the strangers have ended by then.
  for (const body of ['{}', 'again']) {
    const forged = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body,
      signal: AbortSignal.timeout(10_000),
    });
    expect(forged.status).toBe(400);
  }
}
