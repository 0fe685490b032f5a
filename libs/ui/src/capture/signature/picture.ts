/** The picture that a signature becomes, whichever way it was given: signature.png, 600×300, black on white (spec §9). */

/** How a signature was made; the record says so. */
export type SignMethod = 'drawn' | 'typed' | 'uploaded';

/** What is on the pad. */
export type Signed = {
  method: SignMethod;
  /** The pad as it is when this is called: signature.png, 600×300. */
  picture: () => Promise<File>;
};

/** The props of each way to sign; the ways do not know each other. */
export type SignWayProps = {
  /** With each change, the picture as it is now; undefined for an empty pad. */
  onChange: (picture: Signed['picture'] | undefined) => void;
  /** Save was pressed with nothing there. */
  onEmpty: () => void;
  /** What is on the pad is being sent: it is shown and cannot be changed. */
  still: boolean;
};

export const SIGNATURE_WIDTH = 600;
export const SIGNATURE_HEIGHT = 300;
/** Room around a typed or uploaded signature. */
const MARGIN = 30;
const LARGEST_TYPE = 96;
const HAND = '"Karaar Hand", "Karaar Sans", cursive';

/** A size inside a box with the same proportions, and where it is in its middle. */
export function fitted(
  size: { width: number; height: number },
  box: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const scale = Math.min(box.width / size.width, box.height / size.height);
  const width = size.width * scale;
  const height = size.height * scale;
  return { x: (box.width - width) / 2, y: (box.height - height) / 2, width, height };
}

/** The canvas as the file that is sent. */
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

/** Fetches the hand for the scripts of a name; without it the system's own is used. */
export async function handReady(name: string): Promise<void> {
  await document.fonts.load(`${LARGEST_TYPE}px ${HAND}`, name).catch(() => []);
}

/** Writes a name in a hand that is ready, as large as it fits. */
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

/** Draws a picture of a signature, whole and in its proportions. */
export function drawUploaded(canvas: HTMLCanvasElement, picture: ImageBitmap): void {
  const context = blank(canvas);
  const box = { width: SIGNATURE_WIDTH - 2 * MARGIN, height: SIGNATURE_HEIGHT - 2 * MARGIN };
  const { x, y, width, height } = fitted(picture, box);
  context.drawImage(picture, x + MARGIN, y + MARGIN, width, height);
  picture.close();
}
