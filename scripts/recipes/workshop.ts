import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runShell } from '../generators/shell.ts';
import { hasExited, untilOk } from '../lib/children.ts';
import { createCustomer } from './customer.ts';
import type { Steps } from './guide.ts';
import type { Login } from './merchant.ts';
import type { OrderStatus, Shop } from './story.ts';

/** A shop that was built by the steps of its recipe, and is open. */
export type OpenShop = Shop & {
  readonly close: () => Promise<void>;
};

export type Place = {
  /** Where the service is. */
  readonly kasiUrl: string;
  /** Whose shop it is. */
  readonly login: Login;
  /** The folder that the reader of the recipe stands in, with framework and client installed. */
  readonly folder: string;
  readonly port: number;
};

/** What the pages of every recipe say, and of which state. */
const SAYS: readonly (readonly [OrderStatus, RegExp])[] = [
  ['open', /waiting for your payment/],
  ['paid', /your order is paid/],
  ['held', /took your payment back/],
  ['refunding', /money is on its way back/],
  ['partly refunded', /part of your money went back/],
  ['refunded', /money went back/],
];

/** Writes the files of a recipe where its reader would. */
export function writeFiles({ files }: Steps, folder: string): void {
  for (const { name, text, isAddition } of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (isAddition) appendFileSync(path, `\n${text}`);
    else writeFileSync(path, text);
  }
}

/** Connects a shop to the service and opens it, by the commands of its recipe. */
export async function openShop(steps: Steps, place: Place): Promise<OpenShop> {
  const { folder, port, login, kasiUrl } = place;
  const url = `http://localhost:${port}`;
  const env = {
    KASI_URL: kasiUrl,
    SHOP_URL: url,
    PORT: String(port),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  };
  await runShell(asMerchant(steps.prepare, login), folder, env);
  const server = await serve(steps.serve.replace(/\b[48]000\b/, String(port)), { folder, env, url });
  const customer = createCustomer(url);
  const { refund } = steps;
  return {
    hooks: `${url}/webhooks/kasi`,
    buy: () => customer.press('/'),
    payAgain: (orderId) => customer.press(`/orders/${orderId}`),
    look: async (orderId, sessionId) => {
      const page = await customer.open(`/orders/${orderId}?session_id=${sessionId}`);
      const found = SAYS.find(([, words]) => words.test(page));
      if (!found) throw new Error(`The page of the order says nothing of it:\n${page.slice(0, 2000)}`);
      return found[0];
    },
    refund: refund === null ? null : (orderId) => runShell(refund.replace(/\S+-…/, orderId), folder, env),
    logged: () => `${server.printed()}${readIfThere(join(folder, 'storage/logs/laravel.log'))}`,
    close: server.close,
  };
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');

/** The commands with the merchant's login in the place of the demo merchant's. */
export const asMerchant = (commands: string, { email, password }: Login): string =>
  commands
    .replace('KASI_EMAIL=demo@kasi.example', `KASI_EMAIL=${email}`)
    .replace('KASI_PASSWORD=…', `KASI_PASSWORD=${password}`);

type Serving = {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly url: string;
};

type Server = { readonly close: () => Promise<void>; readonly printed: () => string };

/** Starts a server in a process group of its own, so that what it starts ends with it; resolves once it answers. */
export async function serve(command: string, { folder, env, url }: Serving): Promise<Server> {
  const child = spawn('sh', ['-c', `exec ${command}`], {
    cwd: folder,
    env: { ...process.env, NO_PROXY: '127.0.0.1,localhost', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  const close = (): Promise<void> => endGroup(child);
  const printed = (): string => Buffer.concat(output).toString('utf8');
  try {
    await untilOk(url, child, (why) => new Error(`${command} ${why}:\n${printed().slice(-8000)}`));
  } catch (error) {
    await close();
    throw error;
  }
  return { close, printed };
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (hasExited(child) || child.pid === undefined) return;
  const exited = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await exited;
}
