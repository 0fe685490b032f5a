/** The documents service's own look at a photo, whatever the client did before (design §3 Parties). */
import { createReadStream } from 'node:fs';
import { CheckAnswer, type DetectType } from '@karaar/contracts/vision/http';
import { AppError, unavailable } from '@karaar/platform/errors';
import { traceHeaders } from '@karaar/platform/telemetry';
import { request } from 'undici';
import { Value } from 'typebox/value';

const DEADLINE_MS = 15_000;

export type PhotoCheck = (file: { path: string; mime: string }, detect: DetectType) => Promise<CheckAnswer>;

const notAvailable = () =>
  unavailable(
    'vision_unavailable',
    'Photo checks are not available right now. Please try again in a moment.',
  );

/**
 * Asks the vision service over internal HTTP. Resolves to its answer; throws 503 when it is down, too
 * slow or too busy. The image is streamed and never logged.
 */
export function createPhotoCheck(visionUrl: string): PhotoCheck {
  return async (file, detect) => {
    let answer;
    try {
      answer = await request(`${visionUrl}/internal/check?detect_type=${detect}`, {
        method: 'POST',
        headers: { 'content-type': file.mime, ...traceHeaders() },
        body: createReadStream(file.path),
        headersTimeout: DEADLINE_MS,
        bodyTimeout: DEADLINE_MS,
      });
      const body: unknown = await answer.body.json();
      if (answer.statusCode === 200 && Value.Check(CheckAnswer, body)) return body;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw notAvailable();
    }
    if (answer.statusCode >= 500 || answer.statusCode === 429) throw notAvailable();
    return { ok: false, reason: 'not_an_image', boxes: [] };
  };
}
