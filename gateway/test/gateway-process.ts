/** A gateway in a process of its own, for tests that measure it. Tells its port, answers its memory. */
import { createLogger } from '@karaar/platform/logging';
import { createGateway } from '../src/app.ts';
import { readConfig } from '../src/config.ts';

const gateway = createGateway({
  config: readConfig(process.env),
  logger: createLogger({ name: 'gateway-process', level: 'silent' }),
  verifier: {
    verify: async () => ({ userId: 'u', sessionId: 's', charId: 'ABCD2345', audience: 'user' }),
  },
  counts: { add: async (counts) => counts.map(({ by }) => by) },
});
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }));
process.send?.({ port: await gateway.listen() });
