import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runShell } from '../../generators/shell.ts';
import type { Steps } from '../guide.ts';
import { type Client, install } from '../install.ts';
import type { OrderStatus } from '../story.ts';
import { asMerchant, type OpenShop, type Place, serve, writeFiles } from '../workshop.ts';

const PARTS = ['wp-load.php', 'wp-content/plugins/woocommerce', 'wp-content/plugins/sqlite-database-integration'];

/** What the environment has to name: no registry that we install from brings WordPress. */
export function whyNoWordPress(): string | null {
  const folder = process.env['WORDPRESS_FOLDER'];
  if (folder && PARTS.every((part) => existsSync(join(folder, part)))) return null;
  return 'WORDPRESS_FOLDER names no unpacked WordPress with the plug-ins woocommerce and sqlite-database-integration';
}

/** Prepares a copy of the WordPress in WORDPRESS_FOLDER. */
export function copyWordPress(folder: string): void {
  cpSync(process.env['WORDPRESS_FOLDER'] ?? '', folder, { recursive: true });
}

/** Of the plug-in in WORDPRESS_FOLDER. */
export function versionOfWooCommerce(): string {
  const text = readFileSync(join(process.env['WORDPRESS_FOLDER'] ?? '', PARTS[1] ?? '', 'woocommerce.php'), 'utf8');
  return /Version: (\S+)/.exec(text)?.[1] ?? 'unknown';
}

const scripts = resolve('scripts/recipes/woocommerce');

/** Builds the recipe's plug-in into the WordPress of a folder, and opens the shop. */
export async function openWooCommerce(steps: Steps, client: Client, place: Place): Promise<OpenShop> {
  const { folder, port, login, kasiUrl } = place;
  await install(steps, client, folder);
  const plugin = join(folder, steps.folder);
  mkdirSync(plugin, { recursive: true });
  writeFiles(steps, plugin);
  const url = `http://localhost:${port}`;
  const env = { KASI_URL: kasiUrl, SHOP_URL: url };
  const lines = join(folder, 'kasi-lines.php');
  writeFileSync(lines, await runShell(asMerchant(steps.prepare, login), plugin, env));
  await runShell(`php "${scripts}/install.php" "${folder}" "${lines}"`, folder, env);
  const [, product = ''] =
    /^product (\d+)$/m.exec(await runShell(`php "${scripts}/furnish.php" "${folder}"`, folder)) ?? [];
  const command = `php -S localhost:${port} -t "${folder}"`;
  const server = await serve(command, { folder, env: { ...env, PHP_CLI_SERVER_WORKERS: '4' }, url });
  const buyer = createBuyer(url, Number(product));
  return {
    hooks: `${url}/?wc-api=kasi`,
    ...buyer,
    refund: (orderId) => runShell(`php "${scripts}/refund.php" "${folder}" ${orderId}`, folder),
    logged: () => logsIn(join(folder, 'wp-content/uploads/wc-logs')),
    close: server.close,
  };
}

const logsIn = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith('kasi-'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('');

const ADDRESS = {
  ...{ first_name: 'Nimal', last_name: 'Perera', email: 'nimal@example.org', phone: '+94771234567' },
  ...{ address_1: '12 Temple Road', city: 'Kandy', postcode: '20000', country: 'LK', state: '' },
};

type Answer = {
  readonly order_id: number;
  readonly order_key: string;
  readonly payment_result: { readonly redirect_url: string };
};

/** A customer at the checkout of blocks: these are the calls that its page makes. */
function createBuyer(url: string, product: number): Pick<OpenShop, 'buy' | 'payAgain' | 'look'> {
  const keys = new Map<string, string>();
  let tokens: Record<string, string> = {};
  const call = async (path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${url}/wp-json/wc/store/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...tokens },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`WooCommerce answered ${answer.status} to ${path}: ${text.slice(0, 2000)}`);
    for (const name of ['nonce', 'cart-token']) {
      const value = answer.headers.get(name);
      if (value !== null) tokens = { ...tokens, [name]: value };
    }
    return JSON.parse(text);
  };
  const paying = { billing_address: ADDRESS, shipping_address: ADDRESS, payment_method: 'kasi' };
  return {
    buy: async () => {
      await call('cart');
      await call('cart/add-item', { id: product, quantity: 1 });
      const answer = await call('checkout', paying);
      keys.set(String(answer.order_id), answer.order_key);
      return answer.payment_result.redirect_url;
    },
    payAgain: async (orderId) => {
      const known = { ...paying, key: keys.get(orderId), billing_email: ADDRESS.email };
      return (await call(`checkout/${orderId}`, known)).payment_result.redirect_url;
    },
    look: async (orderId, sessionId) => {
      const query = `key=${keys.get(orderId)}&session_id=${sessionId}`;
      const page = await fetch(`${url}/checkout/order-received/${orderId}/?${query}`);
      return statusOf(await page.text());
    },
  };
}

function statusOf(page: string): OrderStatus {
  if (page.includes('waiting for your payment')) return 'open';
  // It may be refunded for WooCommerce, and the money is not there yet.
  if (/your order is paid|on its way back: see/.test(page)) return 'paid';
  if (page.includes('part of your money went back')) return 'partly refunded';
  if (page.includes('money went back')) return 'refunded';
  throw new Error(`The page of the order says nothing of its payment:\n${page.slice(0, 3000)}`);
}
