import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS, type Command, findCommand } from '../../scripts/kasi/commands.ts';
import { KINDS } from '../../src/kinds.ts';
import { readNetworks } from '../../src/network-file.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { blocks, GUIDE_NAMES, readGuide } from './guide.ts';

const CHAPTERS = GUIDE_NAMES.filter((name) => name.startsWith('operate-'));

/** What a line of the book may start besides `npx kasi` and `npm`. The walk through the book needs no other program. */
const PROGRAMS = new Set([
  ...['cd', 'chmod', 'cp', 'do', 'done', 'export', 'for', 'install', 'ln', 'mkdir', 'read', 'set', 'sleep', 'unset'],
  ...[
    '.',
    'until',
    'groupadd',
    'useradd',
    'systemctl',
    'journalctl',
    'curl',
    'openssl',
    'psql',
    'createdb',
    'docker',
    'find',
    'pgbackrest',
  ],
]);

/** The commands of a chapter's shell blocks, each as its words; settings before a command are left out. */
function commandsOf(chapter: string): string[][] {
  return blocks(readGuide(chapter), 'sh')
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/"[^"]*"|'[^']*'/g, 'quoted')
    .split(/\n|;|&&/)
    .map((line) => line.trim().split(/\s+/))
    .map((words) => words.slice(words.findIndex((word) => !/^[A-Z_]+=/.test(word))))
    .filter(([first]) => first !== undefined && first !== '');
}

/** What a sentence names in the same way; whatever stands in <…> is one word. */
const namedIn = (chapter: string): string[][] =>
  [...readGuide(chapter).matchAll(/`((?:npx kasi|npm run) [^`]+)`/g)].map(([, text = '']) =>
    text.replaceAll(/<[^>]+>/g, 'x').split(/\s+/),
  );

/** Why a command would refuse these words; undefined: it would not. */
function faultOf({ usage }: Command, rest: readonly string[]): string | undefined {
  const options = rest.filter((word) => word.startsWith('--') && word !== '--json');
  const values = rest.length - rest.filter((word) => word.startsWith('--')).length;
  const fits = usage.some((way) => {
    const places = (text: string): number => text.match(/<[^>]+>/g)?.length ?? 0;
    const fewest = places(way.replaceAll(/\[(?:[^[\]]|\[[^\]]*\])*\]/g, ''));
    const most = way.includes('…') ? Number.POSITIVE_INFINITY : places(way);
    return options.every((option) => way.includes(option)) && values >= fewest && values <= most;
  });
  return fits ? undefined : `takes ${usage.join(' or ') || 'nothing'}, not ${rest.join(' ')}`;
}

function check(words: readonly string[]): string | undefined {
  const [program, first = '', ...others] = words;
  if (program === 'npx') {
    if (first !== 'kasi') return 'is no command of ours';
    const asked = others[0] === 'help' ? others.slice(1) : others;
    if (asked.length === 0) return undefined;
    const found = findCommand(asked);
    if (!found) return 'is no command of ours';
    return others[0] === 'help' ? undefined : faultOf(found.command, found.rest);
  }
  if (program === 'npm') {
    if (['ci', 'init', 'install'].includes(first)) return undefined;
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
    return first === 'run' && others[0] !== undefined && others[0] in scripts ? undefined : 'is no script of ours';
  }
  return PROGRAMS.has(program ?? '') ? undefined : 'is no program that an operator is told to have';
}

describe('commands', () => {
  test.for(CHAPTERS)('those of %s are understood', (chapter) => {
    const all = [...commandsOf(chapter), ...namedIn(chapter)];
    expect(all.flatMap((words) => check(words)?.replace(/^/, `${words.join(' ')}: `) ?? [])).toEqual([]);
  });

  test('the book has many, and a wrong one would be found', () => {
    expect(CHAPTERS.flatMap(commandsOf).filter(([program]) => program === 'npx').length).toBeGreaterThan(25);
    for (const wrong of [
      'npx kasi refund',
      'npx kasi rescan base 1',
      'npx kasi sweep --all',
      'npm run nothing',
      'vim x',
    ])
      expect([wrong, check(wrong.split(' '))]).toEqual([wrong, expect.any(String)]);
  });

  test.for(CHAPTERS)('npx finds ours in %s: elsewhere it takes a package of that name from the registry', (chapter) => {
    let folder = '';
    const astray = commandsOf(chapter).filter(([program, first = '']) => {
      if (program === 'cd') folder = first;
      return program === 'npx' && !folder.startsWith('/opt/kasi');
    });
    expect(astray).toEqual([]);
  });

  test('no script of a package runs where root installs one', () => {
    const installs = CHAPTERS.flatMap(commandsOf).filter(
      ([program, first]) => program === 'npm' && first === 'install',
    );
    expect(installs.length).toBeGreaterThan(1);
    expect(installs.filter((words) => !words.includes('--ignore-scripts'))).toEqual([]);
  });

  test('the services and units that they name are in deploy/', () => {
    const { services } = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as { services: object };
    const all = CHAPTERS.flatMap(commandsOf);
    const composed = all
      .filter(([program, first]) => program === 'docker' && first === 'compose')
      .map((words) => words.slice(3).find((word) => !word.startsWith('-')))
      .filter((name) => name !== undefined);
    expect(Object.keys(services)).toEqual(expect.arrayContaining(composed));
    const units = all
      .filter(([program]) => program === 'systemctl')
      .flatMap((words) => words.filter((word) => word.startsWith('kasi')));
    expect(units.length).toBeGreaterThan(5);
    for (const unit of units) {
      const file = unit.replace(/@.*/, '@.service');
      expect([unit, existsSync(`deploy/systemd/${file}`)]).toEqual([unit, true]);
    }
  });

  test('what compose.yaml needs from outside stands in a file: a shell may forget it, and go back to another release', () => {
    const needed = [...readFileSync('deploy/compose.yaml', 'utf8').matchAll(/\$\{([A-Z_]+)/g)].map(
      ([, name = '']) => name,
    );
    const kept = blocks(readGuide('operate-install'), 'ini').join('\n');
    expect(new Set(kept.match(/^[A-Z_]+(?==)/gm))).toEqual(new Set(needed));
    const typed = CHAPTERS.flatMap((chapter) => blocks(readGuide(chapter), 'sh')).join('\n');
    expect(needed.filter((name) => typed.includes(`${name}=`))).toEqual([]);
  });

  test('the ports that they ask are those of the examples in deploy/', () => {
    const asked = [
      ...CHAPTERS.map(readGuide)
        .join('\n')
        .matchAll(/http:\/\/127\.0\.0\.1:(\d+)\/(\w+)/g),
    ];
    const examples = ['api', 'worker'].map((name) => readFileSync(`deploy/env/${name}.env.example`, 'utf8')).join('\n');
    expect(asked.length).toBeGreaterThan(3);
    for (const [, port, path] of asked) {
      const setting = path === 'metrics' ? 'METRICS_PORT' : 'PORT';
      expect(examples).toMatch(new RegExp(`^${setting}=${port}$`, 'm'));
    }
  });
});

describe('names', () => {
  const source = [
    'src/config.ts',
    'src/tracing/settings.ts',
    'deploy/compose.yaml',
    'deploy/env/owner.env.example',
  ].map((file) => readFileSync(file, 'utf8'));
  const settings = `${source.join('\n')}\n${COMMANDS.flatMap(({ takes }) => takes.map(([name]) => name)).join('\n')}`;
  const places = ['generated/openapi.json', 'src/chains/evm/network.ts', 'src/chains/bitcoin/network.ts'];
  const fields = `${places.map((file) => readFileSync(file, 'utf8')).join('\n')}`;
  /** What others call so. */
  const FOREIGN = ['transferOwnership', 'proposeOperator', 'LISTEN', 'PATRONI', 'PGBOUNCER'];

  test.for(CHAPTERS)('the settings and fields of %s exist', (chapter) => {
    const named = [...readGuide(chapter).matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) => text);
    const capitals = named.flatMap((text) => /^[A-Z][A-Z_]{4,}(?==|$)/.exec(text)?.[0] ?? []);
    expect(capitals.filter((name) => !settings.includes(name) && !FOREIGN.includes(name))).toEqual([]);
    const camels = named.filter((text) => /^[a-z]+([A-Z][a-z]+)+$/.test(text) && !FOREIGN.includes(text));
    expect(camels.filter((name) => !fields.includes(`${name}"`) && !fields.includes(`${name}:`))).toEqual([]);
  });
});

/** Of a wallet that everybody knows. */
const ACCOUNT_KEY =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';

test('the file of networks that the chapters make together is one', () => {
  const addresses = ['0x00000000000000000000000000000000000000f0', '0x00000000000000000000000000000000000000f1'];
  const read = (chapter: string): string =>
    (blocks(readGuide(chapter), 'json')[0] ?? '').replace(/"0x…"/, `"${addresses[0]}"`);
  const [base, ethereum, bitcoin] = ['operate-base', 'operate-ethereum', 'operate-bitcoin'].map((chapter) =>
    JSON.parse(read(chapter).replace(/"0x…"/, `"${addresses[1]}"`).replace('zpub…', ACCOUNT_KEY)),
  );
  Object.assign(base.networks[0], ethereum);
  const file = join(makeTestFolder(inject('runFolder')), 'networks.json');
  writeFileSync(file, JSON.stringify({ ...base, networks: [...base.networks, bitcoin] }));
  const problems: string[] = [];
  const { networks } = readNetworks(file, KINDS, problems);
  expect(problems).toEqual([]);
  expect(networks.map(({ name }) => name)).toEqual(['base', 'bitcoin']);
});

test('the chapter about threats says of which acts of administrators a code is asked, as the contract does', () => {
  const { paths } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; requestBody?: unknown }>>;
  };
  const schemas = (JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as Spec).components.schemas;
  const takesCode = (id: string): boolean => {
    const operation = Object.values(paths)
      .flatMap((path) => Object.values(path))
      .find(({ operationId }) => operationId === id);
    expect([id, operation?.operationId]).toEqual([id, id]);
    const [, name = ''] = /schemas\/(\w+)/.exec(JSON.stringify(operation?.requestBody ?? '')) ?? [];
    return schemas[name]?.properties?.['otp'] !== undefined;
  };
  const threats = readGuide('operate-threats');
  expect(threats).toMatch(/^\| change settings .*; approve a change that waits \| yes \|/m);
  for (const id of ['updateSettings', 'approveChange', 'createAdminUser', 'updateRole'])
    expect([id, takesCode(id)]).toEqual([id, true]);
  expect(threats).toMatch(
    /^\| approve, reject, process and export payouts; complete or fail smaller ones; .* \| no \| no \|$/m,
  );
  const plain = ['approve', 'reject', 'process', 'complete', 'fail'].map((move) => `${move}Withdrawal`);
  for (const id of [...plain, 'processRefund', 'completeRefund', 'failRefund', 'exportPayouts'])
    expect([id, takesCode(id)]).toEqual([id, false]);
});

type Spec = { components: { schemas: Record<string, { properties?: Record<string, unknown> }> } };
