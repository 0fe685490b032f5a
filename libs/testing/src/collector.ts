/** A collector of traces to look into: takes what OpenTelemetry sends over HTTP, as JSON. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SpanAttribute = {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
};
export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: SpanAttribute[];
};
type Export = { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };

export type Collector = {
  /** For OTEL's endpoint option. */
  endpoint: string;
  /** In the order of arrival. */
  spans: readonly ReceivedSpan[];
  /** All that was sent, to see what is not in it. */
  text: () => string;
  stop: () => Promise<void>;
};

export async function startCollector(): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  let text = '';
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      text += body;
      const { resourceSpans } = JSON.parse(body) as Export;
      spans.push(...resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
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
