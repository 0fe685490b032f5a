import type { HttpApp } from './apps/app.ts';

export type WebhookCall = {
  params: Readonly<Record<string, string>>;
  rawBody: Buffer;
  /** Returns a header that was sent once. */
  header: (name: string) => string | undefined;
};

/** Registers a webhook. It gets its body unparsed, because the caller's signature covers the bytes. */
export function mountWebhook(
  app: HttpApp,
  { path }: { path: string },
  receive: (call: WebhookCall) => Promise<void>,
): void {
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', { parseAs: 'buffer' }, (_req, body, done) => done(null, body));
    raw.post<{ Params: Record<string, string> }>(path, async ({ params, body, headers }) => {
      await receive({
        params,
        rawBody: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
        header: (name) => {
          const value = headers[name];
          return typeof value === 'string' ? value : undefined;
        },
      });
      return { received: true };
    });
  });
}
