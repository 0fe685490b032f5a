import type { FastifyInstance } from 'fastify';

/** A named check of something that the service needs; it rejects when that does not answer. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<void>>>;

/** What `/healthz` reports besides: facts that a process found at its start and cannot change. */
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
    // Called inside the try and in a promise chain, so that a check that throws at once counts as failed as well.
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
 * `GET /healthz`: the process is alive. `GET /readyz`: it can do its work; 503 with the name of the failed check
 * while it cannot, and while it drains. `GET /readyz/self`: it takes requests, whatever the state of the parts that
 * all its replicas share: removing all replicas at once would turn an outage of one part into an outage of all.
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
