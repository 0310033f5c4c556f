import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';

/** Where Linux distributions and macOS install Chromium. */
const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** No sandbox: it works neither for root nor in most containers, and the tests open only our own pages. */
const ARGS = ['--no-sandbox', '--disable-dev-shm-usage', '--font-render-hinting=none'];

/**
 * A headless Chromium: the one from the npm registry where it runs (Linux on x64), an installed one elsewhere. It needs
 * nothing from the machine: the package contains the libraries and a font. Close it at the end.
 */
export async function launchBrowser(): Promise<Browser> {
  const installed = INSTALLED.find((path) => existsSync(path));
  if (process.platform === 'linux' && process.arch === 'x64') {
    try {
      const folder = await unpack();
      return await chromium.launch({ executablePath: join(folder, 'chromium'), args: ARGS, env: environment(folder) });
    } catch (error) {
      if (!installed) throw error;
    }
  }
  if (!installed) throw new Error('No browser for the tests: install Chromium (on Debian: apt-get install chromium).');
  return chromium.launch({ executablePath: installed, args: ARGS });
}

function environment(folder: string): NodeJS.ProcessEnv {
  const libraries = [join(folder, 'al2023', 'lib'), process.env['LD_LIBRARY_PATH']].filter(Boolean).join(':');
  return { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: join(folder, 'fonts.conf') };
}

/**
 * Unpacks the browser once per account and version, and returns the folder. Several processes may do so concurrently:
 * each works in its own folder, and the first to finish renames it to the final name.
 */
async function unpack(): Promise<string> {
  const manifest = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..', 'package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const user = process.getuid?.() ?? 0;
  const folder = join(tmpdir(), `kasi-chromium-${version}-${user}`);
  if (existsSync(folder)) {
    if (statSync(folder).uid === user) return folder;
    throw new Error(`${folder} belongs to somebody else: delete it and run the tests again.`);
  }
  const draft = mkdtempSync(join(tmpdir(), 'kasi-chromium-'));
  try {
    await inflate(draft, join(dirname(manifest), 'bin', 'al2023.tar.br'));
    writeFileSync(join(draft, 'fonts.conf'), fontsConfig(folder));
    mkdirSync(join(draft, 'cache'));
    chmodSync(draft, 0o700);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error; // Otherwise another process was faster.
  }
  return folder;
}

/** The package unpacks into its process's temporary folder, so it gets a process whose temporary folder is `folder`. */
async function inflate(folder: string, libraries: string): Promise<void> {
  const script = `
    import chromium, { inflate } from ${JSON.stringify(import.meta.resolve('@sparticuz/chromium'))};
    await chromium.executablePath();
    await inflate(${JSON.stringify(libraries)});`;
  const env = { ...process.env, TMPDIR: folder };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
}

const fontsConfig = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${folder}/cache</cachedir>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;
