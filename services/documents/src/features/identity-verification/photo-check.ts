/** The documents service checks photos itself, whatever the client did before (design §3 Parties). */
import { createReadStream } from 'node:fs';
import { internalRoutes } from '@karaar/contracts/internal';
import { CheckAnswer } from '@karaar/contracts/vision/http';
import { credential, type ServiceSecrets } from '@karaar/http/service-credentials';
import { AppError, unavailable } from '@karaar/base/errors';
import { traceHeaders } from '@karaar/observability/telemetry';
import type { PhotoCheck } from '../../context.ts';
import { request } from 'undici';
import { Value } from 'typebox/value';

const DEADLINE_MS = 15_000;

/** Status codes about the photo itself: too large, of another type, unreadable. */
const ABOUT_THE_PHOTO = new Set([413, 415, 422]);

const notAvailable = (cause: unknown) =>
  unavailable(
    'vision_unavailable',
    'Photo checks are not available right now. Please try again in a moment.',
    cause,
  );

/**
 * Returns a check that asks the vision service at its internal port. It throws 503 if vision is down, slow,
 * busy or rejects the credential. The image is streamed and never logged.
 * @param visionUrl base URL of the internal port
 * @param secrets our credentials for vision
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
        // No kept connection, which a process of vision that stops may be closing.
        reset: true,
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
