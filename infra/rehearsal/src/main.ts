/**
 * `npm run cluster:rehearse [-- --short] [-- --from COMMIT --to COMMIT --keep]`: installs a release in containers, from nothing to a
 * sealed PDF that verifies; rolls to the next one and back under load; takes the broker away; restores a backup. With
 * `--short` one service alone: image, migration, readiness.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stateRoot } from '@karaar/testing/roots';
import { podmanEnv } from './cluster/podman.ts';
import { buildServers } from './images/build.ts';
import { createInstallation, type Installation } from './installation.ts';
import { playedKinds } from './objects/played.ts';
import { startOperator } from './operator.ts';
import { PREVIOUS_RELEASE } from './previous-release.ts';
import { installPrograms } from './programs.ts';
import { makeRelease, type Release } from './releases.ts';
import { createReport, type Report } from './report.ts';
import { brokerAway } from './steps/broker-away.ts';
import { backUp, restore, type Saved } from './steps/disaster.ts';
import { firstAdmin } from './steps/first-admin.ts';
import { underLoad, withoutFailure } from './steps/load.ts';
import { rotateCertificates, rotatePasswords } from './steps/rotation.ts';
import { rehearseShort } from './steps/short.ts';
import { sealOne, type Sealed } from './steps/main-job.ts';

/** Deployments that are replaced at a time: each copy takes a core while it starts. */
const WIDTH = 2;
const folder = join(stateRoot, 'rehearsal');

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: PREVIOUS_RELEASE },
    to: { type: 'string', default: 'HEAD' },
    keep: { type: 'boolean', default: false },
    short: { type: 'boolean', default: false },
  },
});
const report = createReport(join(stateRoot, 'rehearsal.log'));
const indented = (line: string): void => report.say(`  ${line}`);
try {
  await installPrograms(indented);
  const env = podmanEnv();
  await (values.short ? rehearseShort(report, env, values.to) : rehearse(report, env));
} catch (error) {
  report.say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  process.exitCode = 1;
}
report.say('');
for (const verdict of report.verdicts) report.say(verdict);
process.exit();

async function rehearse({ step }: Report, env: NodeJS.ProcessEnv): Promise<void> {
  const images = await step('Images of the servers beside the product', () => buildServers(env, true));
  const before = await step('Images of the release before', () => makeRelease(values.from, env, indented));
  const next = await step('Images of this release', () => makeRelease(values.to, env, indented));
  const { played, not } = playedKinds(next.objects);
  for (const line of played) indented(`played: ${line}`);
  for (const line of not) indented(`not played: ${line}`);
  const installation = await createInstallation(images, indented);
  try {
    await play(installation, before, next, step);
  } finally {
    if (!values.keep) await installation.close();
  }
}

async function play(
  installation: Installation,
  before: Release,
  next: Release,
  step: Report['step'],
): Promise<void> {
  const roll = (release: Release) => async () =>
    withoutFailure(
      await underLoad(installation, sealed.owner, 'everything', async () => {
        await installation.apply(release, WIDTH);
      }),
    );

  await step('PostgreSQL with TLS, NATS, Valkey, S3', async () => {
    await installation.startState(before);
    await installation.startFiles();
  });
  await step('Migrations, and every process ready', async () => {
    const written = await installation.apply(before, WIDTH + 1);
    await installation.startFront();
    return `${written.size} jobs`;
  });
  const operator = await startOperator(installation, indented);
  await step('The first admin by the documented command', () => firstAdmin(installation, operator));
  await operator.stop();
  const sealed: Sealed = await step('Two people agree, pay and seal; the PDF verifies', () =>
    sealOne(installation.url, 1),
  );
  await step('The next release under load', roll(next));
  await step('Back to the release before, under load', roll(before));
  await step('And to the next one again', roll(next));
  await step('The broker is away for a minute', () => brokerAway(installation, sealed));
  await step('The key that signs tokens is rotated; who is signed in stays so', async () => {
    const tool = await startOperator(installation, indented);
    await tool.karaar(['rotate-keys']);
    await tool.stop();
    await sealed.owner.call('GET', '/users/profile');
  });
  const saved: Saved = await step('A backup by the operator', async () => {
    const tool = await startOperator(installation, indented);
    // What is sealed is in the log within a moment, and the log's checkpoint with its witness.
    await sleep(5_000);
    const made = await backUp(tool, join(folder, 'saved'));
    await tool.stop();
    return made;
  });
  await step('Everything is deleted', () => installation.deleteEverything());
  await step('Restored from the backup; the PDF verifies', () =>
    restore(installation, next, saved, sealed, indented),
  );
  await step('Every password of databases, broker and cache is another one', () =>
    rotatePasswords(installation, next, sealed, WIDTH),
  );
  await step('The certificates of the front and of PostgreSQL are others', () =>
    rotateCertificates(installation, sealed),
  );
  await step('Two more people agree, pay and seal', () => sealOne(installation.url, 2));
}
