/** The picture of a signature, however it was made: signature.png, 600×300, black on white (spec §9). */

/** How a signature was made; it is recorded. */
export type SignMethod = 'drawn' | 'typed' | 'uploaded';

/** The content of the pad. */
export type Signed = {
  method: SignMethod;
  /** Returns the present content of the pad: signature.png, 600×300. */
  picture: () => Promise<File>;
};

/** The common props of the ways to sign. */
export type SignWayProps = {
  /** Receives the present picture after each change; undefined for an empty pad. */
  onChange: (picture: Signed['picture'] | undefined) => void;
  /** Called if Save was pressed on an empty pad. */
  onEmpty: () => void;
  /** True while the signature is being sent: the pad is read-only. */
  still: boolean;
};

export const SIGNATURE_WIDTH = 600;
export const SIGNATURE_HEIGHT = 300;
/** The margin around a typed or uploaded signature. */
const MARGIN = 30;
const LARGEST_TYPE = 96;
const HAND = '"Karaar Hand", "Karaar Sans", cursive';

/** Returns a size with the same proportions that fits a box, and its centred position. */
export function fitted(
  size: { width: number; height: number },
  box: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const scale = Math.min(box.width / size.width, box.height / size.height);
  const width = size.width * scale;
  const height = size.height * scale;
  return { x: (box.width - width) / 2, y: (box.height - height) / 2, width, height };
}

/** Returns the canvas as a PNG file. */
export function signatureFile(canvas: HTMLCanvasElement): Promise<File> {
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => {
      if (blob) resolve(new File([blob], 'signature.png', { type: 'image/png' }));
      else reject(new Error('The canvas made no picture'));
    }, 'image/png'),
  );
}

function blank(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  canvas.width = SIGNATURE_WIDTH;
  canvas.height = SIGNATURE_HEIGHT;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser draws on no canvas');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, SIGNATURE_WIDTH, SIGNATURE_HEIGHT);
  return context;
}

/** Loads the handwriting font for the scripts of a name; without it the system's font is used. */
export async function handReady(name: string): Promise<void> {
  await document.fonts.load(`${LARGEST_TYPE}px ${HAND}`, name).catch(() => []);
}

/** Draws a name in the loaded handwriting font, as large as it fits. */
export function drawTyped(canvas: HTMLCanvasElement, typed: string): void {
  const name = typed.trim();
  const context = blank(canvas);
  context.fillStyle = '#000000';
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = `${LARGEST_TYPE}px ${HAND}`;
  const room = SIGNATURE_WIDTH - 2 * MARGIN;
  const size = Math.min(LARGEST_TYPE, (LARGEST_TYPE * room) / Math.max(1, context.measureText(name).width));
  context.font = `${size}px ${HAND}`;
  context.fillText(name, SIGNATURE_WIDTH / 2, SIGNATURE_HEIGHT / 2);
}

/** Draws a picture of a signature completely, with its proportions. */
export function drawUploaded(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  const context = blank(canvas);
  const box = { width: SIGNATURE_WIDTH - 2 * MARGIN, height: SIGNATURE_HEIGHT - 2 * MARGIN };
  const { x, y, width, height } = fitted(picture, box);
  context.drawImage(picture, x + MARGIN, y + MARGIN, width, height);
  picture.close();
}
