import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openFile, sealFile } from '../../src/backup/sealed-file.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';

const ring = createKeyRing(Buffer.from('00112233445566778899aabbccddeeff0f1e2d3c4b5a69788796a5b4c3d2e1f0', 'hex'));
const ABOUT: Parameters<typeof sealFile>[1] = {
  ...{ id: 'one', deployment: 'shop-production', mode: 'live', takenAt: '2026-01-01T00:00:00.000Z' },
  head: '0146-restores',
};
const CHUNK = 256 * 1024;

async function* inPieces(bytes: Buffer, size = 100_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of source) parts.push(part);
  return Buffer.concat(parts);
}

const seal = (plain: Buffer): Promise<Buffer> => collect(sealFile(ring, ABOUT, inPieces(plain)));

const open = async (file: Buffer, by = ring): Promise<Buffer> =>
  collect((await openFile(by, inPieces(file, 77_777))).plain);

/** Where the chunks of a file begin, and where it ends. */
function placesOf(file: Buffer): number[] {
  const places = [12 + file.readUInt32BE(8)];
  for (let at = places[0] as number; at < file.length; places.push(at)) at += 4 + file.readUInt32BE(at);
  return places;
}

test.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5])(
  '%i bytes are read as they were',
  async (size) => {
    const plain = randomBytes(size);
    expect((await open(await seal(plain))).equals(plain)).toBe(true);
  },
);

test('the header says in the clear whose copy it is, and of when', async () => {
  const { header } = await openFile(ring, inPieces(await seal(Buffer.from('x'))));
  expect(header).toMatchObject({ format: 1, compression: 'zstd', ...ABOUT });
});

test('a byte that differs is found wherever it is', async () => {
  const file = await seal(randomBytes(2 * CHUNK + 100));
  const [first = 0] = placesOf(file);
  const places = [...Array(first).keys(), first + 2, first + 5, first + CHUNK, file.length - 1, file.length - 50];
  for (const at of places) {
    const changed = Buffer.from(file);
    changed[at] = (changed[at] as number) ^ 1;
    await expect(open(changed), `byte ${at}`).rejects.toThrow(/\.$/);
  }
});

test('a file that ends too early is refused, at the end of a part as well', async () => {
  const file = await seal(randomBytes(3 * CHUNK));
  const places = placesOf(file);
  const cuts = [0, 5, 40, ...places.slice(0, -1), ...places.slice(0, -1).map((at) => at + 3), file.length - 1];
  for (const at of cuts) await expect(open(file.subarray(0, at)), `cut at ${at}`).rejects.toThrow(/\.$/);
});

test('parts that change places, come twice, are left out or come from another file are refused', async () => {
  const [file, other] = [await seal(randomBytes(3 * CHUNK)), await seal(randomBytes(3 * CHUNK))];
  const [a = 0, b = 0, c = 0, end = 0] = placesOf(file);
  const part = (from: Buffer, begin: number, until: number) => from.subarray(begin, until);
  const [head, one, two, three] = [part(file, 0, a), part(file, a, b), part(file, b, c), part(file, c, end)];
  const forged = [
    [head, two, one, three],
    [head, one, one, two, three],
    [head, one, three],
    [head, one, two, three, three],
    [head, one, part(other, b, c), three],
    [part(other, 0, a), one, two, three],
    [head, one, two, three, Buffer.from('more')],
  ];
  for (const parts of forged) await expect(open(Buffer.concat(parts))).rejects.toThrow(/Part|ends/);
  expect((await open(Buffer.concat([head, one, two, three]))).length).toBe(3 * CHUNK);
});

test('another key, and what is no backup, are told apart', async () => {
  const file = await seal(Buffer.from('secret'));
  await expect(open(file, createKeyRing(randomBytes(32)))).rejects.toThrow(
    /sealed with the key \w{16}, and BACKUP_KEY is/,
  );
  await expect(open(Buffer.from('PGDMP, and so on'))).rejects.toThrow('It is no backup of Kasi.');
  await expect(open(Buffer.alloc(0))).rejects.toThrow('It is no backup of Kasi.');
});
