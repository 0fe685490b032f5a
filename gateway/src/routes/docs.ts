import type { IncomingMessage, ServerResponse } from 'node:http';
import { openApiDocument } from '@karaar/contracts/openapi-document';
import { notFound } from '@karaar/platform/errors';
import { label, wrongMethod } from '../http/answer.ts';
import type { Header } from '../http/security-headers.ts';
import { docsPage, DOCS_STYLE } from './docs-page.ts';

type Part = { type: string; text: string };

/** Made on the first request: most processes are never asked. */
let parts: Readonly<Record<string, Part>> | undefined;

function docsParts(): Readonly<Record<string, Part>> {
  if (parts === undefined) {
    const document = openApiDocument();
    parts = {
      '/docs': { type: 'text/html; charset=utf-8', text: docsPage(document) },
      '/docs/style.css': { type: 'text/css; charset=utf-8', text: DOCS_STYLE },
      '/docs/openapi.json': { type: 'application/json; charset=utf-8', text: JSON.stringify(document) },
    };
  }
  return parts;
}

/** Only our own style sheet; the page has no script at all. */
const POLICY = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/**
 * `/api/docs` (a page without script), its style sheet, and `/api/docs/openapi.json`.
 * @param path below `/api` @throws AppError 404, 405
 */
export function docsAnswer(
  req: IncomingMessage,
  res: ServerResponse,
  path: string,
  headers: readonly Header[],
): void {
  const part = docsParts()[path === '/docs/' ? '/docs' : path];
  if (part === undefined) throw notFound('not_found', 'There is no such page.');
  if (req.method !== 'GET' && req.method !== 'HEAD') throw wrongMethod(['GET', 'HEAD']);
  label(res, headers);
  res.setHeader('content-security-policy', POLICY);
  res.setHeader('cache-control', 'no-cache');
  res.writeHead(200, { 'content-type': part.type, 'content-length': Buffer.byteLength(part.text) });
  res.end(req.method === 'HEAD' ? undefined : part.text);
}
