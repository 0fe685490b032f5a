import type { FastifyInstance } from 'fastify';
import multipart from '@fastify/multipart';
import { AppError } from '@karaar/base/errors';

/** A urlencoded body before conversion; a name may occur more than once. */
export type TextBag = Record<string, string | string[]>;

/** Parses `a=1&b=2&b=3`; the result has no prototype, so that no name is special. */
export function parseUrlEncoded(text: string): TextBag {
  const bag = Object.create(null) as TextBag;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = bag[name];
    bag[name] = before === undefined ? value : [before, value].flat();
  }
  return bag;
}

/** Registers the accepted body types: JSON, urlencoded and multipart. Any other type gets 415. */
export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, body, done) => {
    // Some clients send the header even with a DELETE without a body.
    if (body === '') return done(null, undefined);
    return parseJson(req, body as string, (err, value) => {
      if (err)
        done(new AppError(400, 'malformed_json', 'The request body is not valid JSON.', { cause: err }));
      else done(null, value);
    });
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) => {
    done(null, parseUrlEncoded(body as string));
  });
  void app.register(multipart, { throwFileSizeLimit: false });
}
