/** Quartile correction survives a scratched screen; the quiet zone of 4 modules is what scanners ask for. */
const OPTIONS = { errorCorrectionLevel: 'Q', margin: 4 } as const;

/** A QR code as an SVG image. */
export const qrSvg = async (text: string): Promise<string> =>
  (await openLibrary()).toString(text, { ...OPTIONS, type: 'svg' });

/** A QR code as a PNG image, 8 pixels a module. */
export const qrPng = async (text: string): Promise<Uint8Array> =>
  (await openLibrary()).toBuffer(text, { ...OPTIONS, scale: 8 });

/** Sixty modules that a process without payers never needs. */
const openLibrary = async () => (await import('qrcode')).default;
