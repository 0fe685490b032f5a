/** `npm run test:deployment [-- --short | --from COMMIT --to COMMIT --keep]` (README.md). `--short`: one service. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { say, seconds, step as reported } from '@karaar/testing/machine/report';
import { stateRoot } from '@karaar/testing/roots';
import { podmanEnv } from './cluster/podman.ts';
import { buildServers, installPrograms, makeRelease, registry, type Release } from './images.ts';
import { createInstallation, type Installation } from './installation.ts';
import { asOperator } from './operator.ts';
import { PREVIOUS_RELEASE } from './previous-release.ts';
import { brokerAway } from './steps/broker-away.ts';
import { underLoad } from './steps/load.ts';
import { backUp, firstAdmin, restore } from './steps/operations.ts';
import { rotateCertificates, rotatePasswords } from './steps/rotation.ts';
import { sealOne } from './steps/sealed.ts';

/** The number of Deployments that are replaced at a time; each copy takes a core while it starts. */
const WIDTH = 2;
const SHORT_IMAGES = ['wallet', 'broker-admin'];
const SHORT = [...SHORT_IMAGES, 'nats', 'valkey'];
const WORKLOADS = ['Deployment', 'StatefulSet', 'Job', 'CronJob'];

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: PREVIOUS_RELEASE },
    to: { type: 'string', default: 'HEAD' },
    keep: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
});
const began = Date.now();
const log = (line: string): void => say(`${seconds(began).padStart(10)}  ${line}`);

/** Runs a step and prints its result if that is a text. */
async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const found = await reported(title, work);
  if (typeof found === 'string') log(found);
  return found;
}

if (process.env['KUBECONFIG'] && !registry) say('KARAAR_REGISTRY is not set: the test runs in podman.');
try {
  await installPrograms();
  await (values.short ? short(podmanEnv()) : whole(podmanEnv()));
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
process.exit();

async function short(env: NodeJS.ProcessEnv): Promise<void> {
  const images = await step('Images of PostgreSQL, NATS and Valkey', () => buildServers(env, false));
  const made = await step(`Images of ${SHORT_IMAGES.join(' and ')}`, () =>
    makeRelease(values.to, env, SHORT_IMAGES),
  );
  const objects = made.objects.filter(
    ({ kind, metadata: { name } }) =>
      !WORKLOADS.includes(kind) || SHORT.includes(name) || name.startsWith('wallet-migrate'),
  );
  const release = { ...made, objects };
  const installation = await createInstallation(images, log);
  try {
    await step('PostgreSQL with TLS, NATS, Valkey', () => installation.startState(release));
    await step('The migration, and every copy ready', async () => {
      const jobs = await installation.apply(release, 1);
      const copies = await installation.cluster.pods('Deployment', 'wallet');
      return `${jobs.join(', ')}; ${copies.length} copies`;
    });
  } finally {
    await installation.cluster.close();
  }
}

async function whole(env: NodeJS.ProcessEnv): Promise<void> {
  const images = await step('Images of the servers', () => buildServers(env, true));
  const before = await step('Images of the previous release', () => makeRelease(values.from, env));
  const next = await step('Images of this release', () => makeRelease(values.to, env));
  const installation = await createInstallation(images, log);
  try {
    await play(installation, before, next);
  } finally {
    if (!values.keep) await installation.cluster.close();
  }
}

async function play(installation: Installation, before: Release, next: Release): Promise<void> {
  const { url } = installation;
  await step('PostgreSQL with TLS, NATS, Valkey, S3', async () => {
    await installation.startState(before);
    await installation.startFiles();
  });
  await step('Migrations, and every process ready', async () => {
    const jobs = await installation.apply(before, WIDTH + 1);
    await installation.startFront();
    return `${jobs.length} jobs`;
  });
  await step('The first admin by the documented command', () =>
    asOperator(installation, (operator) => firstAdmin(installation, operator)),
  );
  const sealed = await step('Two people agree, pay and seal; the PDF verifies', () => sealOne(url, 1));
  const roll = (release: Release) => () =>
    underLoad(installation, sealed.owner, 'everything', () => installation.apply(release, WIDTH));
  await step('The next release under load', roll(next));
  await step('Back to the previous release, under load', roll(before));
  await step('And to the next one again', roll(next));
  await step('The broker is down for a minute', () => brokerAway(installation, sealed));
  await step('The key that signs tokens is rotated; sessions go on', async () => {
    await asOperator(installation, ({ karaar }) => karaar(['rotate-keys']));
    await sealed.owner.call('GET', '/users/profile');
  });
  const saved = await step('A backup by the operator', () =>
    asOperator(installation, async (operator) => {
      // The seal reaches the log, and the log's checkpoint its witness, within a moment.
      await sleep(5_000);
      return backUp(operator, join(stateRoot, 'deployment', 'saved'));
    }),
  );
  await step('Everything is deleted', () => installation.cluster.deleteEverything());
  await step('Restored from the backup; the PDF verifies', () => restore(installation, next, saved, sealed));
  await step('New passwords for databases, broker and cache', () =>
    rotatePasswords(installation, next, sealed, WIDTH),
  );
  await step('New certificates for the front and PostgreSQL', () => rotateCertificates(installation, sealed));
  await step('Two more people agree, pay and seal', () => sealOne(url, 2));
}
