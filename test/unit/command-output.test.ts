import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';

const TELLS = `import { say, useJson } from './scripts/lib/output.ts'; useJson(); say('done');`;

test('a command with --json whose document could not be written fails, and says why in one line', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', TELLS], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'What this command had to tell could not be written: ENOSPC: no space left on device, write.\n',
  });
});

test.for(['help', 'help doctor', 'doctor --help', '--version'])('kasi %s that could not be written fails', (words) => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/kasi/run.ts', ...words.split(' ')], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: 'What this command had to tell could not be written: ENOSPC: no space left on device, write.\n',
  });
});

test('a terminal obeys nothing that a command repeats of others', () => {
  const program = `import { complain, progress, say } from './scripts/lib/output.ts';
    const said = 'down\\u001b[2J\\u009b1A\\r\\u202e';
    say(said + '\\n\\tnext'); progress(said); complain(said); complain(new Error(said));`;
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(run.stdout).toBe('down [2J 1A \n\tnext\n');
  expect(run.stderr).toMatch(/^down \[2J 1A \ndown \[2J 1A \nError: down \[2J 1A \n +at /);
});

/** Runs a program whose reader is gone: the fifo has had one, which left before the program begins. */
function runUnread(program: string) {
  const shell = `exec 3> >(exec 0<&-); wait $!; "$0" --input-type=module -e "$1" >&3`;
  const { status, stderr } = spawnSync('bash', ['-c', shell, process.execPath, program], { encoding: 'utf8' });
  return { status, stderr };
}

test('a reader of its document that is gone is no fault', () => {
  expect(runUnread(TELLS)).toEqual({ status: 0, stderr: '' });
});

test.for(['', 'useJson();'])(
  'a password that nothing read is lost, and the command says how to get another: %s',
  (json) => {
    const program = `import { say, showOnce, useJson } from './scripts/lib/output.ts'; ${json}
    showOnce('It is lost: run npx kasi admin again.'); say('Password: 4711');`;
    const { status, stderr } = runUnread(program);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^What this command had to tell could not be written: .*EPIPE.* It is lost: run npx kasi admin again\.\n$/,
    );
  },
);
