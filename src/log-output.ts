import { write, writeSync } from 'node:fs';
import { createClock, monotonicMs, SECOND_MS } from './lib/clock.ts';

/** Beyond so much that waits, as behind a reader that has stopped, further lines are lost. */
const WAITING_MAX = 4 * 1024 * 1024;
const BUSY_MS = 100;
/** A write that takes so long waits for a reader that has stopped. */
const STUCK_MS = 3 * SECOND_MS;
const NEWLINE = 10;

type Failure = { readonly code?: string | undefined };

/** Lines under way, after a head of our own that tells how many were lost before. */
type Piece = { readonly bytes: Buffer; readonly headBytes: number; readonly told: number };

export type LogOutput = {
  readonly write: (line: string) => void;
  /** Calls back once nothing is under way: it was written, or is lost. The name is pino's. */
  readonly flush: (done: () => void) => void;
};

/**
 * Where lines of the log are written: a file descriptor, while the process goes on with its work. What it does not
 * take, as on a full disk, is lost, and counted in the next line that it takes, which `present` makes of JSON.
 */
export function openLogOutput(fd: number, present: (line: string) => string = (line) => `${line}\n`): LogOutput {
  let [waiting, length]: [string[], number] = [[], 0];
  let [lost, isCut] = [0, false];
  let rest: Buffer | null = null;
  let beganMs: number | null = null;
  let listeners: (() => void)[] = [];

  const take = (): Piece => {
    const head = `${isCut ? '\n' : ''}${lost > 0 ? present(tellLost(lost)) : ''}`;
    const bytes = Buffer.from(`${head}${waiting.join('')}`);
    [waiting, length] = [[], 0];
    return { bytes, headBytes: Buffer.byteLength(head), told: lost };
  };
  const settle = ({ bytes, headBytes, told }: Piece, written: number): void => {
    if (written >= headBytes) lost -= told;
    lost += countLines(bytes.subarray(Math.max(written, headBytes)));
    if (written > 0) isCut = bytes[written - 1] !== NEWLINE;
  };
  const send = (piece: Piece, from = 0): void => {
    rest = piece.bytes.subarray(from);
    beganMs = monotonicMs();
    write(fd, rest, 0, rest.length, null, (error, count) => {
      beganMs = null;
      if (error && isBusy(error)) return void setTimeout(() => send(piece, from), BUSY_MS).unref();
      const written = from + (error ? 0 : count);
      if (!error && written < piece.bytes.length) return send(piece, written);
      rest = null;
      settle(piece, written);
      if (!error && waiting.length > 0) return send(take());
      const told = listeners;
      listeners = [];
      for (const tell of told) tell();
    });
  };
  process.once('exit', () => {
    // Node waits for a write that has begun. Lines behind it may come out before it: `flush` waits for it in time.
    if (beganMs !== null && monotonicMs() - beganMs > STUCK_MS) process.kill(process.pid, 'SIGKILL');
    const last = beganMs === null && rest !== null ? [rest] : [];
    writeOnce(fd, Buffer.concat(waiting.length > 0 ? [...last, take().bytes] : last));
  });
  return {
    write: (line) => {
      if (length + line.length > WAITING_MAX) {
        lost += 1;
        return;
      }
      waiting.push(line);
      length += line.length;
      if (rest === null) send(take());
    },
    flush: (done) => {
      if (rest === null) done();
      else listeners.push(done);
    },
  };
}

const { real } = createClock();

const tellLost = (lost: number): string =>
  JSON.stringify({ level: 40, time: real().getTime(), msg: `${lost} lines of the log were lost` });

const isBusy = ({ code }: Failure): boolean => code === 'EAGAIN' || code === 'EBUSY';

const countLines = (bytes: Buffer): number => bytes.reduce((lines, byte) => (byte === NEWLINE ? lines + 1 : lines), 0);

/** Tries once: an end must not hang on a disk. */
function writeOnce(fd: number, bytes: Buffer): void {
  try {
    for (let from = 0; from < bytes.length; ) from += writeSync(fd, bytes, from);
  } catch {
    // What is lost at the end, no line can tell.
  }
}
