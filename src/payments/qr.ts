import QRCode from 'qrcode';

/** Quartile correction survives a scratched screen; the quiet zone of 4 modules is what scanners ask for. */
const OPTIONS = { errorCorrectionLevel: 'Q', margin: 4 } as const;

/** A QR code as an SVG image. */
export const qrSvg = (text: string): Promise<string> => QRCode.toString(text, { ...OPTIONS, type: 'svg' });

/** A QR code as a PNG image, 8 pixels a module. */
export const qrPng = (text: string): Promise<Uint8Array> => QRCode.toBuffer(text, { ...OPTIONS, scale: 8 });
