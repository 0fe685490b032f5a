/** A trace collector for tests: receives OpenTelemetry's JSON over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SpanAttribute = {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
};
export type ReceivedSpan = {
  /** The sending process. */
  service: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: SpanAttribute[];
};
type Export = {
  resourceSpans: {
    resource: { attributes: SpanAttribute[] };
    scopeSpans: { spans: Omit<ReceivedSpan, 'service'>[] }[];
  }[];
};

export type Collector = {
  /** For OTEL's endpoint option. `GET` there returns all spans, for another process. */
  endpoint: string;
  /** In the order of arrival. */
  spans: readonly ReceivedSpan[];
  /** Everything that was sent, to check which data is absent. */
  text: () => string;
  stop: () => Promise<void>;
};

/**
 * Starts a collector. @param prefix keeps only traces whose ids begin with it, because a busy product sends
 * too many
 */
export async function startCollector(prefix = ''): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  let text = '';
  const server = createServer((req, res) => {
    if (req.method === 'GET') {
      const json = { 'content-type': 'application/json' };
      res.writeHead(200, json).end(JSON.stringify(spans));
      return;
    }
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      if (prefix === '') text += body;
      const { resourceSpans } = JSON.parse(body) as Export;
      for (const { resource, scopeSpans } of resourceSpans) {
        const service =
          resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue ?? '';
        const kept = scopeSpans
          .flatMap((scope) => scope.spans)
          .filter(({ traceId }) => traceId.startsWith(prefix));
        spans.push(...kept.map((span) => ({ ...span, service })));
      }
      res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans,
    text: () => text,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
