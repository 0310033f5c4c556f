import { inflateSync } from 'node:zlib';
import QRCode from 'qrcode';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

export type Image = { readonly width: number; readonly isDark: (x: number, y: number) => boolean };

/** Reads a square PNG with 8 bits per channel; enough to inspect a QR code without the library that drew it. */
export function readPng(bytes: Uint8Array): Image {
  const file = Buffer.from(bytes);
  if (!file.subarray(0, 8).equals(SIGNATURE)) throw new Error('this is no PNG');
  const width = file.readUInt32BE(16);
  const [depth, colour] = [file[24], file[25] as number];
  const channels = { 0: 1, 2: 3, 4: 2, 6: 4 }[colour];
  if (depth !== 8 || channels === undefined) throw new Error(`a PNG of another kind: depth ${depth}, colour ${colour}`);
  const pixels = unfilter(inflateSync(joinData(file)), width * channels, channels);
  return { width, isDark: (x, y) => (pixels[y * width * channels + x * channels] as number) < 128 };
}

function joinData(file: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const length = file.readUInt32BE(at);
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + length));
  }
  return Buffer.concat(parts);
}

/** Undoes the filter of every line (PNG specification, section 9). */
function unfilter(data: Buffer, stride: number, step: number): Uint8Array {
  const lines = data.length / (stride + 1);
  const pixels = new Uint8Array(lines * stride);
  for (let y = 0; y < lines; y += 1) {
    const filter = data[y * (stride + 1)] as number;
    for (let x = 0; x < stride; x += 1) {
      const left = x >= step ? (pixels[y * stride + x - step] as number) : 0;
      const up = y > 0 ? (pixels[(y - 1) * stride + x] as number) : 0;
      const corner = y > 0 && x >= step ? (pixels[(y - 1) * stride + x - step] as number) : 0;
      const base = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] as number;
      pixels[y * stride + x] = (data[y * (stride + 1) + 1 + x] as number) + base;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

/** Whether an image shows the QR code of `text`, with a quiet zone of `margin` modules, `scale` pixels each. */
export function showsQr(image: Image, text: string, margin: number, scale: number): boolean {
  const { modules } = QRCode.create(text, { errorCorrectionLevel: 'Q' });
  if (image.width !== (modules.size + 2 * margin) * scale) return false;
  for (let y = 0; y < image.width; y += 1) {
    for (let x = 0; x < image.width; x += 1) {
      const [column, row] = [Math.floor(x / scale) - margin, Math.floor(y / scale) - margin];
      const inside = column >= 0 && row >= 0 && column < modules.size && row < modules.size;
      if (image.isDark(x, y) !== (inside && modules.get(row, column) === 1)) return false;
    }
  }
  return true;
}
