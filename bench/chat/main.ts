/** Chat under load (design §4): delivery among thousands of sockets. */
import { startProcess, type ServiceProcess } from '@karaar/service-messaging/test/process';
import { startBrokerAdmin } from '@karaar/bus';
import { freePort } from '@karaar/testing/processes/ports';
import { startServiceWorld } from '@karaar/testing/service-world';
import { runParts } from '../lib/parts.ts';
import { size } from '../lib/smoke.ts';
import { startTestBacking } from '../lib/test-backing.ts';
import { measureDelivery } from './delivery.ts';
import { makePeople } from './people.ts';

const SOCKETS = size('BENCH_SOCKETS', 5_000, 50);

const backing = await startTestBacking();
const world = await startServiceWorld('bench-chat', { service: 'messaging', startBrokerAdmin });
const services: ServiceProcess[] = [];
const start = async (): Promise<ServiceProcess> => {
  const service = await startProcess(world.env, await freePort());
  services.push(service);
  return service;
};

try {
  const first = await start();
  const people = await makePeople(world, SOCKETS);
  await runParts('chat', {
    one: () => measureDelivery([first], people),
    two: async () => measureDelivery([first, await start()], people),
  });
} finally {
  for (const service of services) await service.stop('SIGTERM');
  await world.stop();
  await backing.stop({ remove: true });
}
