import type { FastifyInstance } from 'fastify';
import multipart from '@fastify/multipart';
import { AppError } from '../../errors/index.ts';

/** A urlencoded body, not yet converted: a name may come more than once. */
export type TextBag = Record<string, string | string[]>;

/** Parses `a=1&b=2&b=3`; the bag has no prototype, so that no name is special. */
export function parseUrlEncoded(text: string): TextBag {
  const bag = Object.create(null) as TextBag;
  for (const [name, value] of new URLSearchParams(text)) {
    const before = bag[name];
    bag[name] = before === undefined ? value : [before, value].flat();
  }
  return bag;
}

/** The body types that routes take: JSON, urlencoded and multipart. Everything else is 415. */
export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (req, body, done) => {
    // A client that always sends the header also sends it with a DELETE that has no body.
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
