/** The documents service's own check of a photo, whatever the client did before (design §3 Parties). */
import { createReadStream } from 'node:fs';
import { internalRoutes } from '@karaar/contracts/internal';
import { CheckAnswer } from '@karaar/contracts/vision/http';
import { credential, type ServiceSecrets } from '@karaar/platform/service-credentials';
import { AppError, unavailable } from '@karaar/platform/errors';
import { traceHeaders } from '@karaar/platform/telemetry';
import type { PhotoCheck } from '../../context.ts';
import { request } from 'undici';
import { Value } from 'typebox/value';

const DEADLINE_MS = 15_000;

/** What is wrong with the photo itself: too large, of another type, not readable. */
const ABOUT_THE_PHOTO = new Set([413, 415, 422]);

const notAvailable = (cause: unknown) =>
  unavailable(
    'vision_unavailable',
    'Photo checks are not available right now. Please try again in a moment.',
    cause,
  );

/**
 * Asks the vision service at its internal port. Resolves to its answer; throws 503 when it is down, too slow or too busy, or
 * does not know the credential. The image is streamed and never logged.
 * @param visionUrl base URL of that port
 * @param secrets our credentials at vision
 */
export function createPhotoCheck(visionUrl: string, secrets: ServiceSecrets): PhotoCheck {
  const { method, path } = internalRoutes.checkPhoto;
  return async (file, detect) => {
    let answer;
    try {
      answer = await request(`${visionUrl}${path}?detect_type=${detect}`, {
        method,
        headers: { 'content-type': file.mime, ...credential(secrets), ...traceHeaders() },
        body: createReadStream(file.path),
        headersTimeout: DEADLINE_MS,
        bodyTimeout: DEADLINE_MS,
      });
      const body: unknown = await answer.body.json();
      if (answer.statusCode === 200 && Value.Check(CheckAnswer, body)) return body;
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw notAvailable(error);
    }
    if (!ABOUT_THE_PHOTO.has(answer.statusCode))
      throw notAvailable(new Error(`vision answered ${answer.statusCode}`));
    return { ok: false, reason: 'not_an_image', boxes: [] };
  };
}
