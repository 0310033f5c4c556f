import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { runShell } from '../generators/shell.ts';
import { buildForPip, copyForComposer, packForNpm } from './clients.ts';
import { packagesIn, type Steps } from './guide.ts';
import type { Recipe, Registry } from './recipes.ts';

const run = promisify(execFile);

/** Puts the client that was built for this run where the commands of a recipe name that of a checkout. */
export type Client = (commands: string) => string;

/** Builds the client for a registry in `folder`. */
export const CLIENTS: Readonly<Record<Registry, (folder: string) => Promise<Client>>> = {
  npm: async (folder) => {
    const { tarball } = await packForNpm(folder);
    const packing =
      /^npm pack --silent --workspace clients\/typescript \\\n {2}--prefix \.\.\/kasi --pack-destination \.\n/m;
    return (commands) => commands.replace(packing, '').replace('./kasi-client-*.tgz', tarball);
  },
  pip: async (folder) => {
    const wheel = await buildForPip(folder);
    return (commands) => commands.replace(/(?<=pip install )\.\.\/kasi\/clients\/python$/m, wheel);
  },
  composer: async (folder) => {
    const repository = {
      type: 'path',
      url: await copyForComposer(folder),
      options: { symlink: false, versions: { 'kasi/client': '0.1.0' } },
    };
    const known = `composer config repositories.kasi '${JSON.stringify(repository)}'`;
    return (commands) => commands.replace(/^composer config repositories\.kasi path [./]+kasi\/clients\/php$/m, known);
  },
};

/** Shell commands that fetch one package into an empty folder, and nothing that it depends on. */
const FETCH: Readonly<Record<Registry, (name: string, version: string) => string>> = {
  npm: (name, version) => `npm view ${name}@${version} name`,
  pip: (name, version) => `python3 -m pip download --quiet --no-deps ${name}==${version}`,
  composer: (name, version) => `composer show --quiet --no-interaction --all ${name} ${version}`,
};

/** Why a registry does not bring the framework of a recipe to this machine; null where it does. */
export async function whyNotFetched({ registry, framework }: Recipe, steps: Steps, folder: string) {
  const version = new Map(packagesIn(steps)).get(framework);
  if (version === undefined) throw new Error(`The recipe installs no exact version of ${framework}.`);
  await mkdir(folder, { recursive: true });
  return runShell(FETCH[registry](framework, version), folder).then(
    () => null,
    () => `${registry} does not bring ${framework} ${version} to this machine`,
  );
}

/** How much a folder takes, in megabytes. */
export async function megabytesOf(folder: string): Promise<number> {
  const { stdout } = await run('du', ['-sk', folder]);
  return Number(stdout.split('\t')[0]) / 1024;
}

/** Follows the commands that install. Throws if they do not name the client: then it would be somebody else's. */
export async function install({ install: commands }: Steps, client: Client, folder: string): Promise<void> {
  const here = client(commands);
  if (here === commands) throw new Error(`The recipe does not install the client:\n${commands}`);
  await mkdir(folder, { recursive: true });
  await runShell(here, folder);
}
