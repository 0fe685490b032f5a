import type { CheckAnswer, ValidationAnswer } from '@karaar/contracts/vision/http';
import type { Verdict } from '../../rules/verdict.ts';

const round = (value: number): number => Math.round(value * 10_000) / 10_000;

/** Four decimals are more precise than a pixel of any photo. */
export function toAnswer({ ok, reason, boxes }: Verdict): ValidationAnswer {
  const rounded = boxes.map(({ landmarks, ...box }) => ({
    x: round(box.x),
    y: round(box.y),
    width: round(box.width),
    height: round(box.height),
    score: round(box.score),
    landmarks: landmarks.map(({ x, y }) => ({ x: round(x), y: round(y) })),
  }));
  return { ok, ...(reason ? { reason } : {}), boxes: rounded };
}

export function toCheckAnswer(verdict: Verdict): CheckAnswer {
  const { eyes } = verdict;
  return { ...toAnswer(verdict), ...(eyes ? { eyes: eyes.map((eye) => [...eye]) } : {}) };
}
