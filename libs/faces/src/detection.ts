/** Converts the raw output of a face detector to faces: decoding, weighted suppression, merging of models. */
import { overlap, type Point, type Rect } from './geometry.ts';

export interface Detection {
  box: Rect;
  score: number;
  /** Six points: right eye, left eye (of the person), nose, mouth, right ear, left ear. */
  keypoints: Point[];
}

/** The raw output of a detector. Box values are in pixels of the model's input, relative to the anchor. */
export interface DetectorOutput {
  /** 16 numbers per anchor: centre, size, then six points. */
  boxes: Float32Array;
  scores: Float32Array;
}

/** How the picture was fitted into the square input: `input = picture × scale + offset`. */
export interface Fit {
  size: number;
  scale: number;
  offsetX: number;
  offsetY: number;
}

/** Detections below this score are noise (measured on photos with and without people). */
const MIN_SCORE = 0.4;
/** Boxes of one detector that overlap more than this are the same face (MediaPipe's value). */
const SAME_FACE = 0.3;
/** Boxes of the two detectors that overlap more than this are the same face. */
const SAME_FACE_ACROSS = 0.35;
const NUMBERS_PER_ANCHOR = 16;
const KEYPOINTS = 6;

/** Returns faces of one detector that score at least `minScore`, best first, without duplicates. */
export function decodeDetections(
  output: DetectorOutput,
  anchors: readonly Point[],
  fit: Fit,
  minScore = MIN_SCORE,
): Detection[] {
  const minLogit = Math.log(minScore / (1 - minScore));
  const toPicture = (inputX: number, inputY: number): Point => ({
    x: (inputX - fit.offsetX) / fit.scale,
    y: (inputY - fit.offsetY) / fit.scale,
  });
  const found: Detection[] = [];
  anchors.forEach((anchor, i) => {
    const logit = output.scores[i] ?? -Infinity;
    if (logit < minLogit) return;
    const at = i * NUMBERS_PER_ANCHOR;
    const number = (k: number): number => output.boxes[at + k] ?? 0;
    const [anchorX, anchorY] = [anchor.x * fit.size, anchor.y * fit.size];
    const [x, y, width, height] = [number(0) + anchorX, number(1) + anchorY, number(2), number(3)];
    const topLeft = toPicture(x - width / 2, y - height / 2);
    const bottomRight = toPicture(x + width / 2, y + height / 2);
    found.push({
      score: 1 / (1 + Math.exp(-logit)),
      box: { left: topLeft.x, top: topLeft.y, right: bottomRight.x, bottom: bottomRight.y },
      keypoints: Array.from({ length: KEYPOINTS }, (_, k) =>
        toPicture(number(4 + 2 * k) + anchorX, number(5 + 2 * k) + anchorY),
      ),
    });
  });
  return suppress(found);
}

/** Weighted suppression: merges each best box with all that overlap it, weighted by their scores. */
export function suppress(detections: readonly Detection[]): Detection[] {
  let rest = [...detections].sort((a, b) => b.score - a.score);
  const faces: Detection[] = [];
  for (let best = rest[0]; best; best = rest[0]) {
    const { box, score } = best;
    const same = rest.filter((other) => other === best || overlap(box, other.box) > SAME_FACE);
    rest = rest.filter((other) => !same.includes(other));
    faces.push({ ...average(same), score });
  }
  return faces;
}

function average(detections: readonly Detection[]): Omit<Detection, 'score'> {
  const total = detections.reduce((sum, { score }) => sum + score, 0);
  const mean = (read: (detection: Detection) => number): number =>
    detections.reduce((sum, detection) => sum + read(detection) * detection.score, 0) / total;
  return {
    box: {
      left: mean(({ box }) => box.left),
      top: mean(({ box }) => box.top),
      right: mean(({ box }) => box.right),
      bottom: mean(({ box }) => box.bottom),
    },
    keypoints: Array.from({ length: KEYPOINTS }, (_, k) => ({
      x: mean(({ keypoints }) => keypoints[k]?.x ?? 0),
      y: mean(({ keypoints }) => keypoints[k]?.y ?? 0),
    })),
  };
}

/** Returns the faces of both detectors, best first. Of two boxes on the same face the better one stays. */
export function mergeDetections(...ofModels: readonly (readonly Detection[])[]): Detection[] {
  const kept: Detection[] = [];
  for (const detection of ofModels.flat().sort((a, b) => b.score - a.score)) {
    if (!kept.some(({ box }) => overlap(box, detection.box) > SAME_FACE_ACROSS)) kept.push(detection);
  }
  return kept;
}
