import { internalRoutes } from '@karaar/contracts/internal';
import { CAPTURE_MAX_BYTES } from '@karaar/contracts/limits';
import { DetectType } from '@karaar/contracts/vision/http';
import { invalid } from '@karaar/base/errors';
import type { HttpApp } from '@karaar/http';
import { inSpan, withTraceparent } from '@karaar/observability/telemetry';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Context } from '../../context.ts';
import { toCheckAnswer } from './validation.presenter.ts';
import { refuseWhenFull, validatePhoto } from './validation.service.ts';

const { method, path, callers } = internalRoutes.checkPhoto;
const SPAN = {
  kind: 'SERVER' as const,
  attributes: { 'http.request.method': method, 'http.route': path },
};
const Query = Type.Object({ detect_type: DetectType });

/**
 * `POST /internal/check?detect_type=faces|eyes` with the image as the body: the documents service's own check
 * of a photo, on the internal port and with that service's credentials. Answers like the public route, except
 * that `not_an_image` is a verdict too: the caller decides what that means for its form. For an accepted
 * photo it also describes the eyes, to compare two photos of one session (docs/vision.md).
 */
export function checkRoutes(inner: HttpApp, ctx: Context): void {
  void inner.register(async (scope) => {
    scope.addContentTypeParser(
      /^(image\/|application\/octet-stream)/,
      { parseAs: 'buffer', bodyLimit: CAPTURE_MAX_BYTES },
      (_request, body, done) => done(null, body),
    );
    scope.post(path, {
      config: { callers },
      onRequest: async () => refuseWhenFull(ctx),
      handler: async (request, reply) => {
        if (!Value.Check(Query, request.query))
          throw invalid([{ loc: 'detect_type', msg: 'must be faces or eyes' }]);
        if (!Buffer.isBuffer(request.body)) throw invalid([{ loc: 'image', msg: 'is required' }]);
        const controller = new AbortController();
        reply.raw.once('close', () => controller.abort(new Error('The caller has disconnected')));
        const photo = {
          file: new Uint8Array(request.body),
          detectType: request.query.detect_type,
          likeness: true,
          signal: controller.signal,
        };
        // Routes without a contract do not start a span, so this one is started here, below the caller's.
        return withTraceparent(request.headers.traceparent?.toString(), () =>
          inSpan(`${method} ${path}`, SPAN, async () => toCheckAnswer(await validatePhoto(ctx, photo))),
        );
      },
    });
  });
}
