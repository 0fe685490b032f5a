/**
 * `npm run cluster:rehearse [-- --keep-images]`: a release in containers, from nothing to a sealed PDF that verifies.
 */
import { join } from 'node:path';
import { podmanEnv } from '@karaar/dev/local-containers/podman';
import { stateRoot } from '@karaar/dev/roots';
import { buildServers } from './images/build.ts';
import { createInstallation } from './installation.ts';
import { playedKinds } from './objects/played.ts';
import { makeRelease, type Release } from './releases.ts';
import { createReport } from './report.ts';
import { sealOne } from './steps/main-job.ts';

const report = createReport(join(stateRoot, 'rehearsal.log'));
const env = podmanEnv();
let postgres = '';
const releases: Release[] = [];

await report.step('The images of the servers beside the product', async () => {
  ({ postgres } = await buildServers(env));
});
await report.step('The images of the release', async () => {
  releases.push(await makeRelease('HEAD', 'n', env, (name) => report.say(`  built ${name}`)));
});
const [first] = releases;
if (!first) throw new Error('No release was built');
const { played, not } = playedKinds(first.objects);
for (const line of played) report.say(`  played: ${line}`);
for (const line of not) report.say(`  not played: ${line}`);

const installation = await createInstallation(postgres, (line) => report.say(`  ${line}`));
try {
  await report.step('PostgreSQL with TLS, NATS, Valkey, S3', () => installation.startState(first));
  await report.step('Migrations, witness, and every process ready', async () => {
    const written = await installation.apply(first, 3);
    return `${written.size} jobs`;
  });
  await report.step('A TLS proxy in front', () => installation.startFront());
  await report.step('Two people agree, seal and pay; the PDF verifies', async () => {
    await sealOne(installation.url, 1);
  });
} finally {
  if (!process.argv.includes('--keep')) await installation.close();
}
for (const verdict of report.verdicts) report.say(verdict);
process.exit(report.verdicts.some((verdict) => verdict.startsWith('FAILED')) ? 1 : 0);
