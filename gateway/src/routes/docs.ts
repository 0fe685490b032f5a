import { docsPage, DOCS_STYLE } from '@karaar/contracts/docs-page';
import { openApiDocument } from '@karaar/contracts/openapi-document';
import type { FastifyInstance } from 'fastify';

/** Only our own style sheet; the page has no script. */
const POLICY = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/**
 * Registers the API documentation under `/docs` as HTML and as OpenAPI JSON, each built on its first request.
 */
export function registerDocs(app: FastifyInstance): void {
  const serve = (path: string, type: string, make: () => string): void => {
    // Built on the first request, because most processes never serve it.
    let text: string | undefined;
    app.get(path, async (_req, reply) =>
      reply
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
        .type(`${type}; charset=utf-8`)
        .send((text ??= make())),
    );
  };
  serve('/docs', 'text/html', () => docsPage(openApiDocument()));
  serve('/docs/style.css', 'text/css', () => DOCS_STYLE);
  serve('/docs/openapi.json', 'application/json', () => JSON.stringify(openApiDocument()));
}
