/**
 * `npm run test:deployment [-- --short] [-- --from COMMIT --to COMMIT --keep]`: installs a release in containers, from nothing to a
 * sealed PDF that verifies; rolls to the next one and back under load; takes the broker away; restores a backup. With
 * `--short` one service alone: image, migration, readiness.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { podmanEnv } from './cluster/podman.ts';
import { stateRoot } from '@karaar/testing/roots';
import { buildServers, installPrograms, makeRelease, type Release } from './images.ts';
import { createInstallation, type Installation } from './installation.ts';
import { playedKinds } from './objects/played.ts';
import { asOperator } from './operator.ts';
import { PREVIOUS_RELEASE } from './previous-release.ts';
import { createReport } from './report.ts';
import { brokerAway } from './steps/broker-away.ts';
import { underLoad } from './steps/load.ts';
import { backUp, firstAdmin, restore } from './steps/operations.ts';
import { rotateCertificates, rotatePasswords } from './steps/rotation.ts';
import { sealOne } from './steps/sealed.ts';

/** Deployments that are replaced at a time: each copy takes a core while it starts. */
const WIDTH = 2;
/** What the short test plays. */
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
const { say, step, verdicts } = createReport(join(stateRoot, 'deployment.log'));
const indented = (line: string): void => say(`  ${line}`);
try {
  await installPrograms(indented);
  await (values.short ? short(podmanEnv()) : whole(podmanEnv()));
} catch (error) {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
say('');
for (const verdict of verdicts) say(verdict);
process.exit();

/** A part that takes minutes: one service's image, its migration, and its readiness beside the servers it needs. */
async function short(env: NodeJS.ProcessEnv): Promise<void> {
  const images = await step('Images of PostgreSQL, NATS and Valkey', () => buildServers(env, false));
  const release = await step(`Images of ${SHORT_IMAGES.join(' and ')}`, async () => {
    const made = await makeRelease(values.to, env, indented, SHORT_IMAGES);
    const objects = made.objects.filter(
      ({ kind, metadata: { name } }) =>
        !WORKLOADS.includes(kind) || SHORT.includes(name) || name.startsWith('wallet-migrate'),
    );
    return { ...made, objects };
  });
  const installation = await createInstallation(images, indented);
  try {
    await step('PostgreSQL with TLS, NATS, Valkey', () => installation.startState(release));
    await step('The migration, and every copy ready', async () => {
      const jobs = await installation.apply(release, 1);
      return `${jobs.join(', ')}; ${installation.cluster.pods('Deployment', 'wallet').length} copies`;
    });
  } finally {
    await installation.close();
  }
}

async function whole(env: NodeJS.ProcessEnv): Promise<void> {
  const images = await step('Images of the servers beside the product', () => buildServers(env, true));
  const before = await step('Images of the release before', () => makeRelease(values.from, env, indented));
  const next = await step('Images of this release', () => makeRelease(values.to, env, indented));
  for (const line of playedKinds(next.objects)) indented(line);
  const installation = await createInstallation(images, indented);
  try {
    await play(installation, before, next);
  } finally {
    if (!values.keep) await installation.close();
  }
}

async function play(installation: Installation, before: Release, next: Release): Promise<void> {
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
  const sealed = await step('Two people agree, pay and seal; the PDF verifies', () =>
    sealOne(installation.url, 1),
  );
  const roll = (release: Release) => () =>
    underLoad(installation, sealed.owner, 'everything', () => installation.apply(release, WIDTH));
  await step('The next release under load', roll(next));
  await step('Back to the release before, under load', roll(before));
  await step('And to the next one again', roll(next));
  await step('The broker is away for a minute', () => brokerAway(installation, sealed));
  await step('The key that signs tokens is rotated; who is signed in stays so', async () => {
    await asOperator(installation, ({ karaar }) => karaar(['rotate-keys']));
    await sealed.owner.call('GET', '/users/profile');
  });
  const saved = await step('A backup by the operator', () =>
    asOperator(installation, async (operator) => {
      // What is sealed is in the log within a moment, and the log's checkpoint with its witness.
      await sleep(5_000);
      return backUp(operator, join(stateRoot, 'deployment', 'saved'));
    }),
  );
  await step('Everything is deleted', () => installation.deleteEverything());
  await step('Restored from the backup; the PDF verifies', () => restore(installation, next, saved, sealed));
  await step('Every password of databases, broker and cache is another one', () =>
    rotatePasswords(installation, next, sealed, WIDTH),
  );
  await step('The certificates of the front and of PostgreSQL are others', () =>
    rotateCertificates(installation, sealed),
  );
  await step('Two more people agree, pay and seal', () => sealOne(installation.url, 2));
}
