/** A service that a test runs as a child process: `serve.slow.ts` sends it signals. */
import { setTimeout as sleep } from 'node:timers/promises';
import { defineRoute } from '@karaar/contracts/kit';
import { Type } from 'typebox';
import { innerEnv, loadConfig } from '@karaar/base/config';
import { createHttpApp, mountRoute, listenOnPorts, runService } from '../index.ts';
import { createLogger } from '@karaar/observability/logging';

const slow = defineRoute({
  method: 'GET',
  path: '/slow/:ms',
  access: 'public',
  summary: 'Answers after a while',
  params: Type.Object({ ms: Type.Integer() }),
  response: { 200: Type.Object({ finished: Type.Boolean() }) },
});
const crash = defineRoute({
  method: 'POST',
  path: '/crash',
  access: 'public',
  summary: 'Throws outside of any request',
  response: { 200: Type.Object({ finished: Type.Boolean() }) },
});

const CREDENTIAL = 'dev-wallet-to-fixture-wallet-to-fixture';

const say = (line: string) => process.stdout.write(`${line}\n`);

await runService(async (env) => {
  const config = loadConfig(
    Type.Object({
      ...innerEnv,
      PORT: Type.Integer(),
      FLAVOUR: Type.String(),
      START: Type.String({ default: 'well' }),
      DRAIN_MS: Type.Integer({ default: 10_000 }),
    }),
    env,
  );
  if (config.START === 'badly') throw new Error('The database is not there');
  if (config.START === 'slowly') {
    say('STARTING');
    await sleep(60_000);
  }
  const app = createHttpApp({
    name: 'fixture',
    logger: createLogger({ name: 'fixture' }),
    callers: { wallet: [CREDENTIAL] },
  });
  app.inner.get('/internal/slow/:ms', { config: { callers: ['wallet'] } }, async (req) => {
    say('WORKING INSIDE');
    await sleep(Number((req.params as { ms: string }).ms));
    return { finished: true };
  });
  mountRoute(app, slow, async ({ params }) => {
    say('WORKING');
    await sleep(params.ms);
    return { finished: true };
  });
  mountRoute(app, crash, async () => {
    setImmediate(() => {
      throw new Error('nobody caught this');
    });
    return { finished: true };
  });
  const { url, innerUrl } = await listenOnPorts(app, { ...config, HOST: '127.0.0.1' });
  say(`INNER ${innerUrl}`);
  say(`URL ${url}`);
  return {
    app,
    drainMs: config.DRAIN_MS,
    close: async () => {
      say('CLOSED');
    },
  };
});
