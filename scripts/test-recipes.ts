/**
 * `npm run test:recipes [name …]`: follows the recipes of the documentation in empty folders, with the frameworks from
 * their registries, and lets the shops take payments on a sandbox. What needs a program or a registry that this machine
 * lacks is skipped and says so. Exits with 0 if nothing failed. Names choose by a part of theirs: `next`, `laravel`.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../src/db/daemon.ts';
import { missingOf } from './generators/shell.ts';
import { isWanted, openTrials } from './lib/trials.ts';
import { linesOf, packagesIn, readSteps } from './recipes/guide.ts';
import { CLIENTS, type Client, install, megabytesOf, whyNotFetched } from './recipes/install.ts';
import { castFor, newAdministrator } from './recipes/merchant.ts';
import { RECIPES, type Recipe, type Registry, WOOCOMMERCE } from './recipes/recipes.ts';
import { playReorg, playStory } from './recipes/story.ts';
import { copyWordPress, openWooCommerce, versionOfWooCommerce, whyNoWordPress } from './recipes/woocommerce/shop.ts';
import { type OpenShop, openShop, type Place, writeFiles } from './recipes/workshop.ts';

type Row = {
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly recipe: string;
  readonly version?: string;
  readonly megabytes?: number;
  readonly seconds?: number;
  readonly lines?: number;
  readonly why?: string;
};

const administrator = newAdministrator();
const clients = new Map<Registry, Promise<Client>>();
const env = { RATE_LIMITS: 'off', ADMIN_EMAIL: administrator.email, ADMIN_PASSWORD: administrator.password };
const { service, work, end } = await openTrials(env);
await end(tryAll());

async function tryAll(): Promise<void> {
  await service.ready();
  const rows: Row[] = [];
  for (const recipe of [...RECIPES, WOOCOMMERCE].filter(isWanted)) {
    const row = await tryOne(recipe);
    if (row.why) console.log(`${row.outcome}  ${row.recipe}: ${row.why}`);
    rows.push(row);
  }
  console.log(`\n${tableOf(rows)}\n`);
  const count = (outcome: Row['outcome']): number => rows.filter((each) => each.outcome === outcome).length;
  console.log(`${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  if (count('failed') > 0) process.exitCode = 1;
}

async function tryOne(recipe: Recipe): Promise<Row> {
  const { name, needs } = recipe;
  const missing = missingOf(needs);
  if (missing.length > 0)
    return { outcome: 'skipped', recipe: name, why: `not on this machine: ${missing.join(', ')}` };
  const steps = readSteps(name);
  const isPlugin = recipe === WOOCOMMERCE;
  const why = isPlugin ? whyNoWordPress() : await whyNotFetched(recipe, steps, join(work, `${name}-fetched`));
  if (why !== null) return { outcome: 'skipped', recipe: name, why };
  const start = performance.now();
  try {
    const megabytes = await follow(recipe);
    return {
      ...{ outcome: 'passed', recipe: name, megabytes, lines: linesOf(steps) },
      version: isPlugin ? versionOfWooCommerce() : (new Map(packagesIn(steps)).get(recipe.framework) ?? ''),
      seconds: (performance.now() - start) / 1000,
    };
  } catch (error) {
    return { outcome: 'failed', recipe: name, why: error instanceof Error ? error.message : String(error) };
  }
}

/** Follows a recipe in an empty folder and plays the story of its shop; the megabytes of what was installed. */
async function follow(recipe: Recipe): Promise<number> {
  const { name, registry } = recipe;
  const folder = join(work, name);
  const client = await clientFor(registry);
  const [cast, port] = await Promise.all([castFor(name, service.url, administrator), findFreePort()]);
  const place = { kasiUrl: service.url, login: cast.login, folder, port };
  const open = recipe === WOOCOMMERCE ? openInWordPress : openAlone;
  const shop = await open(recipe, client, place);
  await playStory(shop, cast)
    .then(() => playReorg(shop, cast))
    .finally(shop.close);
  return megabytesOf(folder);
}

async function openAlone({ name }: Recipe, client: Client, place: Place): Promise<OpenShop> {
  const steps = readSteps(name);
  await install(steps, client, place.folder);
  const folder = join(place.folder, steps.folder);
  writeFiles(steps, folder);
  return openShop(steps, { ...place, folder });
}

function openInWordPress({ name }: Recipe, client: Client, place: Place): Promise<OpenShop> {
  copyWordPress(place.folder);
  return openWooCommerce(readSteps(name), client, place);
}

function clientFor(registry: Registry): Promise<Client> {
  const folder = join(work, `client-${registry}`);
  mkdirSync(folder, { recursive: true });
  const known = clients.get(registry) ?? CLIENTS[registry](folder);
  clients.set(registry, known);
  return known;
}

function tableOf(rows: readonly Row[]): string {
  const cells = rows.map(({ outcome, recipe, version = '–', megabytes, seconds, lines }) => [
    ...[outcome, recipe, version],
    ...[megabytes, seconds, lines].map((value) => value?.toFixed(0) ?? '–'),
  ]);
  const table = [['', 'recipe', 'version', 'MB', 'seconds', 'lines'], ...cells];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  return table.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
