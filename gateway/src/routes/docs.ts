import { docsPage, DOCS_STYLE } from '@karaar/contracts/docs-page';
import { openApiDocument } from '@karaar/contracts/openapi-document';
import type { FastifyInstance } from 'fastify';

/** Made on the first request: most processes are never asked. */
let made: { page: string; document: string } | undefined;

function parts(): { page: string; document: string } {
  if (made === undefined) {
    const document = openApiDocument();
    made = { page: docsPage(document), document: JSON.stringify(document) };
  }
  return made;
}

/** Only our own style sheet; the page has no script at all. */
const POLICY = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'none'; base-uri 'none'";

/** `/docs` (a page without script), its style sheet, and `/docs/openapi.json`. */
export function registerDocs(app: FastifyInstance): void {
  const serve = (path: string, type: string, text: () => string): void =>
    void app.get(path, async (_req, reply) =>
      reply
        .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' })
        .type(`${type}; charset=utf-8`)
        .send(text()),
    );
  serve('/docs', 'text/html', () => parts().page);
  serve('/docs/style.css', 'text/css', () => DOCS_STYLE);
  serve('/docs/openapi.json', 'application/json', () => parts().document);
}
