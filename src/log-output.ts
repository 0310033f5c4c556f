import { write, writeSync } from 'node:fs';
import { createClock } from './lib/clock.ts';

/** Beyond so much that waits, as behind a reader that has stopped, further lines are lost. */
const WAITING_MAX = 4 * 1024 * 1024;
const BUSY_MS = 100;

type Failure = { readonly code?: string | undefined };

/**
 * Where lines of the log are written: a file descriptor, while the process goes on with its work. What it does not
 * take, as on a full disk, is lost, and counted in the next line that it takes.
 */
export function openLogOutput(fd: number): { readonly write: (line: string) => void } {
  const { real } = createClock();
  let waiting: string[] = [];
  let length = 0;
  let writing: Buffer | null = null;
  let [lost, told, isCut] = [0, 0, false];
  const isBusy = ({ code }: Failure): boolean => code === 'EAGAIN' || code === 'EBUSY';

  const take = (): Buffer => {
    told = lost;
    const line = JSON.stringify({ level: 40, time: real().getTime(), msg: `${lost} lines of the log were lost` });
    const text = `${isCut ? '\n' : ''}${lost > 0 ? `${line}\n` : ''}${waiting.join('')}`;
    [waiting, length] = [[], 0];
    return Buffer.from(text);
  };
  const lose = (rest: Buffer, whole: number): void => {
    // The line that tells of others is none of the log's own.
    const own = told > 0 && rest.length === whole ? 2 : 1;
    lost += rest.toString('utf8').split('\n').length - own;
    isCut ||= rest.length < whole;
  };
  const send = (bytes: Buffer, whole = bytes.length): void => {
    writing = bytes;
    write(fd, bytes, 0, bytes.length, null, (error, written) => {
      if (error && isBusy(error)) return void setTimeout(() => send(bytes, whole), BUSY_MS).unref();
      const rest = bytes.subarray(error ? 0 : written);
      if (!error && rest.length > 0) return send(rest, whole);
      writing = null;
      if (error) lose(rest, whole);
      else [lost, told, isCut] = [lost - told, 0, false];
      if (!error && waiting.length > 0) send(take());
    });
  };
  // What waits is tried once more: an end must not hang on a disk.
  process.once('exit', () => {
    for (let rest = waiting.length > 0 ? take() : Buffer.alloc(0); rest.length > 0; ) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch {
        return;
      }
    }
  });
  return {
    write: (line) => {
      if (length + line.length > WAITING_MAX) {
        lost += 1;
        return;
      }
      waiting.push(line);
      length += line.length;
      if (writing === null) send(take());
    },
  };
}
