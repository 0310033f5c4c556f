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
    stderr: 'What this command had to tell could not be written: ENOSPC: no space left on device, write\n',
  });
});

test('a reader of its document that is gone is no fault', () => {
  // The fifo has had a reader, which left before the command begins.
  const shell = `exec 3> >(exec 0<&-); wait $!; "$0" --input-type=module -e "$1" >&3`;
  const { status, stderr } = spawnSync('bash', ['-c', shell, process.execPath, TELLS], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
