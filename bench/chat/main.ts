/**
 * Chat under load (design §4): messages sent over HTTP at a fixed arrival rate, until the receiver's socket has them, with
 * thousands of sockets on one process and on two; what an idle socket costs; how a long conversation opens.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type ServiceProcess } from '@karaar/service-messaging/test/process';
import { startBrokerAdmin } from '@karaar/platform/bus';
import { freePort } from '@karaar/testing/processes/ports';
import { startServiceWorld } from '@karaar/testing/service-world';
import { runParts } from '../lib/parts.ts';
import { size } from '../lib/smoke.ts';
import { startTestBacking } from '../lib/test-backing.ts';
import { measureDelivery } from './delivery.ts';
import { measureOpening } from './opening.ts';
import { makePeople } from './people.ts';

const SOCKETS = size('BENCH_SOCKETS', 5_000, 50);
/** A folder for CPU profiles of the service. */
const PROFILES = process.env['BENCH_PROFILES'];

// A database that writes to the disk before it says so, unlike that of the tests.
const stateDir = await mkdtemp(join(tmpdir(), 'karaar-bench-chat-'));
const backing = await startTestBacking({ stateDir });
const world = await startServiceWorld('bench-chat', { service: 'messaging', startBrokerAdmin });
const services: ServiceProcess[] = [];
const start = async (): Promise<ServiceProcess> => {
  const nodeOptions = PROFILES ? `--cpu-prof --cpu-prof-dir=${PROFILES}` : '';
  const service = await startProcess(world.env, await freePort(), nodeOptions);
  services.push(service);
  return service;
};

try {
  const first = await start();
  console.log(`${SOCKETS} people`);
  const people = await makePeople(world, SOCKETS);
  await runParts('chat', {
    one: () => measureDelivery([first], people),
    two: async () => measureDelivery([first, await start()], people),
    opening: () => measureOpening(world, first.url, people),
  });
} finally {
  for (const service of services) await service.stop('SIGTERM');
  await world.stop();
  await backing.stop({ remove: true });
}
