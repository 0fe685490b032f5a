import fastify, { type FastifyInstance } from 'fastify';
import type { SandboxConfig } from './config.ts';
import { registerMail } from './mail/index.ts';
import { registerRazorpay } from './razorpay/index.ts';
import { registerSms } from './sms/index.ts';

export interface SandboxOptions {
  /** Waiting time before attempt n of a webhook; the default is that of `patientRetries`. */
  retryMs?: (tries: number) => number;
  log?: boolean;
}

/** Returns the sandboxes as one app, which does not listen yet. */
export async function createSandboxes(
  config: SandboxConfig,
  { retryMs, log = false }: SandboxOptions = {},
): Promise<FastifyInstance> {
  const app = fastify({
    // Requests are not logged: a body may contain a user's one-time code.
    logger: log && { level: 'warn' },
    forceCloseConnections: true,
    bodyLimit: 256 * 1024,
  });
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_req, body, done) =>
    done(null, body),
  );
  app.get('/healthz', () => ({ status: 'ok' }));
  await registerSms(app, config);
  await registerMail(app, config);
  await registerRazorpay(app, config, retryMs);
  return app;
}
