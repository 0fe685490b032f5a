/**
 * Chat under load (design §4): messages sent over HTTP at a fixed arrival rate, until the receiver's socket has them, with
 * thousands of sockets on one process and on two; what an idle socket costs; how a long conversation opens. Each part can
 * be run alone: `npm run bench -- chat one`, `two`, `opening`.
 */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, type ServiceProcess } from '@karaar/service-messaging/test/process';
import { startBrokerAdmin } from '@karaar/platform/bus';
import { freePort } from '@karaar/testing/processes/ports';
import { startServiceWorld } from '@karaar/testing/service-world';
import { report, type Row } from '../lib/report.ts';
import { size } from '../lib/smoke.ts';
import { startTestBacking } from '../lib/test-backing.ts';
import { measureDelivery, measureTwo } from './delivery.ts';
import { measureOpening } from './opening.ts';
import { makePeople } from './people.ts';

const PARTS = ['one', 'two', 'opening'] as const;
type Part = (typeof PARTS)[number];
const asked = process.argv.slice(2);
const parts = PARTS.filter((part) => asked.length === 0 || asked.includes(part));
if (asked.some((part) => !PARTS.includes(part as Part))) throw new Error(`The parts are ${PARTS.join(', ')}`);

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
  const rows: Row[] = [];
  const data: Partial<Record<Part, unknown>> = {};
  const note = (part: Part, measured: { rows: Row[]; data: unknown }) => {
    rows.push(...measured.rows);
    data[part] = measured.data;
  };
  const one = await start();
  console.log(`${SOCKETS} people`);
  const people = await makePeople(world, SOCKETS);
  if (parts.includes('one')) note('one', await measureDelivery(one, people));
  if (parts.includes('two')) note('two', await measureTwo([one, await start()], people));
  if (parts.includes('opening')) note('opening', await measureOpening(world, one.url, people));
  process.exitCode = report({ name: ['chat', ...asked].join('-'), rows, data });
} finally {
  for (const service of services) await service.stop('SIGTERM');
  await world.stop();
  await backing.stop({ remove: true });
}
