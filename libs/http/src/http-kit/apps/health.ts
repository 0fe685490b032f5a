import type { FastifyInstance } from 'fastify';

/** Named checks of dependencies; a check rejects if its dependency does not answer. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** Additional properties of `/healthz`: facts that stay constant while the process runs. */
export type HealthFacts = Readonly<Record<string, string | boolean>>;

const CHECK_DEADLINE_MS = 1_000;

async function passes(app: FastifyInstance, name: string, check: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`No answer within ${CHECK_DEADLINE_MS} ms`)),
        CHECK_DEADLINE_MS,
      );
    });
    // Called inside a promise chain, so that a synchronous throw counts as a failed check.
    await Promise.race([Promise.resolve().then(check), late]);
    return true;
  } catch (err) {
    app.log.warn({ err, check: name }, 'Readiness check failed');
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * `GET /healthz`: the process is alive. `GET /readyz`: all dependencies work; 503 with the name of the failed
 * check otherwise, and while draining. `GET /readyz/self`: it accepts requests, whatever the state of
 * dependencies that all replicas share: removing all replicas at once would turn a partial outage into a full
 * one.
 */
export function registerHealth(
  app: FastifyInstance,
  checks: ReadinessChecks,
  isDraining: () => boolean,
  facts: HealthFacts = {},
): void {
  app.get('/healthz', async () => ({ status: 'ok', ...facts }));
  app.get('/readyz/self', async (_req, reply) =>
    reply
      .code(isDraining() ? 503 : 200)
      .header('cache-control', 'no-store')
      .send({ status: isDraining() ? 'draining' : 'ok' }),
  );
  app.get('/readyz', async (_req, reply) => {
    const entries = await Promise.all(
      Object.entries(checks).map(
        async ([name, check]) => [name, (await passes(app, name, check)) ? 'ok' : 'failed'] as const,
      ),
    );
    const ok = entries.every(([, state]) => state === 'ok');
    const status = isDraining() ? 'draining' : ok ? 'ok' : 'failed';
    return reply
      .code(status === 'ok' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, checks: Object.fromEntries(entries) });
  });
}
