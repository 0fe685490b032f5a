/** A new service for each test of a file about events, and helpers for such tests. */
import { setTimeout as sleep } from 'node:timers/promises';
import { testNats } from '@karaar/testing/harness';
import { until } from '@karaar/testing/until';
import { uuidv7 } from '@karaar/db';
import { added, startService, type Added, type TestService } from './fixture.ts';

export let service: TestService;
beforeEach(async () => {
  service = await startService(await testNats());
});
afterEach(async () => {
  await service.close();
});

/** Publishes an event without the outbox: an object as JSON, a string unchanged. */
export const publish = (data: unknown, id: string = uuidv7()) =>
  service.bus.link.js.publish(added.subject, typeof data === 'string' ? data : JSON.stringify(data), {
    msgID: id,
  });

export const envelope = (n: number, id: string = uuidv7()): Added => ({
  id,
  type: added.type,
  version: 1,
  occurredAt: new Date().toISOString(),
  aggregateId: 'ledger-1',
  aggregateVersion: n,
  data: { n },
});

export const happened = (numbers: number[]) =>
  until(`effects ${numbers.length}`, async () => (await service.effects()).length >= numbers.length);

/** Long enough to reveal a surplus effect. */
export const quiet = () => sleep(300);
