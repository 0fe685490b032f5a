/** A gateway in its own process, for tests that measure it. It sends its port, and its memory on request. */
import { listen } from '@karaar/http';
import { createLogger } from '@karaar/observability/logging';
import { createGateway } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const config = readConfig(process.env);
const gateway = createGateway({
  config,
  logger: createLogger({ name: 'gateway-process', level: 'silent' }),
  verifier: {
    verify: async () => ({ userId: 'u', sessionId: 's', charId: 'ABCD2345', audience: 'user' }),
  },
  counts: { add: async (counts) => counts.map(({ by }) => by) },
});
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }));
const url = await listen(gateway, { host: config.HOST, port: config.PORT });
process.send?.({ port: Number(new URL(url).port) });
