/**
 * Analyses the camera's frames in a worker, so that the page stays responsive. The face detector is the
 * server's short range model, run in plain code (docs/vision.md); without it only light and sharpness are
 * checked.
 */
import { SHORT_RANGE_SIDE, shortRangeDetector } from '@karaar/faces/short-range';
import { createLook, FRAME_SIDE, type Detect } from './look.ts';
import type { LookAnswer, LookRequest } from './messages.ts';

// This package uses the page's types; these two differ in a worker.
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

scope.onmessage = ({ data: { frame } }) => {
  if (!context) throw new Error('This browser draws nothing in workers');
  if (!asked) {
    asked = true;
    // Without the model only light and sharpness are checked; the next camera start requests it again.
    loadDetector().catch(() => undefined);
  }
  const { width, height } = frame;
  context.fillRect(0, 0, FRAME_SIDE, FRAME_SIDE);
  context.drawImage(frame, 0, 0);
  frame.close();
  const { data } = context.getImageData(0, 0, FRAME_SIDE, FRAME_SIDE);
  scope.postMessage(look(data, { width, height }, detect));
};
