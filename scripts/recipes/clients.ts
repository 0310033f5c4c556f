import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type Packed = {
  /** The package. */
  readonly tarball: string;
  /** Its files, by path. */
  readonly files: readonly string[];
};

/** Packs the client in TypeScript in `folder`, as `npm publish` would. */
export async function packForNpm(folder: string): Promise<Packed> {
  // Built from a copy, so that the sources stay clean and concurrent runs do not collide.
  const sources = join(folder, 'sources');
  await cp('clients/typescript', join(sources, 'clients/typescript'), { recursive: true });
  await cp('tsconfig.json', join(sources, 'tsconfig.json'));
  await symlink(resolve('node_modules'), join(sources, 'node_modules'));
  const pack = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: join(sources, 'clients/typescript') });
  // prepack writes to the same output, before the JSON.
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)));
  return {
    tarball: join(folder, packed.filename),
    files: packed.files.map((file: { path: string }) => file.path),
  };
}

/** Builds the client in Python in `folder`, as it would be published; the path of the wheel. */
export async function buildForPip(folder: string): Promise<string> {
  const sources = join(folder, 'sources');
  await cp('clients/python', sources, { recursive: true, filter: (path) => !path.endsWith('__pycache__') });
  const build = ['-m', 'pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', folder, sources];
  await run('python3', build);
  const [wheel] = (await readdir(folder)).filter((name) => name.endsWith('.whl'));
  if (wheel === undefined) throw new Error('pip built no wheel of clients/python.');
  return join(folder, wheel);
}

/** Copies the client in PHP to `folder`, from where Composer takes it. */
export async function copyForComposer(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  await cp('clients/php', join(folder, 'client'), { recursive: true });
  return join(folder, 'client');
}
