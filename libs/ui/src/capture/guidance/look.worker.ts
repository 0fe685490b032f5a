/**
 * Looks at the camera's frames beside the page, so that framing never waits for it. The face detector is the server's
 * own short range model, run in plain code (docs/vision.md); until it is there, and where it cannot be had, light and
 * sharpness alone are told.
 */
import { SHORT_RANGE_SIDE, shortRangeDetector } from '@karaar/faces/short-range';
import { createLook, FRAME_SIDE, type Detect } from './look.ts';
import type { LookAnswer, LookRequest } from './messages.ts';

// The page's types are in force in this package; a worker's global has these two of its own.
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<LookRequest>) => void;
  postMessage: (answer: LookAnswer) => void;
};
const MODEL = new URL('@mediapipe/face_detection/face_detection_short_range.tflite', import.meta.url);

const canvas = new OffscreenCanvas(FRAME_SIDE, FRAME_SIDE);
const context = canvas.getContext('2d', { willReadFrequently: true });
const look = createLook();
let detect: Detect | null = null;
let asked = false;

async function loadDetector(): Promise<void> {
  const answer = await fetch(MODEL);
  if (!answer.ok) throw new Error(`The face model came with status ${answer.status}`);
  const find = shortRangeDetector(new Uint8Array(await answer.arrayBuffer()));
  detect = (square) => find(square, { size: SHORT_RANGE_SIDE, scale: 1, offsetX: 0, offsetY: 0 });
}

scope.onmessage = ({ data: { frame, faces } }) => {
  if (!context) throw new Error('This browser draws nothing in workers');
  if (faces && !asked) {
    asked = true;
    // Without the model light and sharpness are told alone; the next camera that opens asks for it again.
    loadDetector().catch(() => undefined);
  }
  const { width, height } = frame;
  context.fillRect(0, 0, FRAME_SIDE, FRAME_SIDE);
  context.drawImage(frame, 0, 0);
  frame.close();
  const { data } = context.getImageData(0, 0, FRAME_SIDE, FRAME_SIDE);
  scope.postMessage(look(data, { width, height }, faces ? detect : null));
};
