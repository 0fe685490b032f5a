/** A part that takes minutes: one service's image, its migration, and its readiness beside the servers it needs. */
import type { KubeObject } from '@karaar/k8s/objects';
import { buildServers } from '../images/build.ts';
import { createInstallation } from '../installation.ts';
import { makeRelease } from '../releases.ts';
import type { Report } from '../report.ts';

const IMAGES = ['wallet', 'broker-admin'];
const WORKLOADS = [...IMAGES, 'nats', 'valkey'];
const KINDS = ['Deployment', 'StatefulSet', 'Job', 'CronJob'];

/** Without the workloads that the part does without. */
function partOf(objects: readonly KubeObject[]): KubeObject[] {
  return objects.filter(
    ({ kind, metadata: { name } }) =>
      !KINDS.includes(kind) || WORKLOADS.includes(name) || name.startsWith('wallet-migrate'),
  );
}

export async function rehearseShort(
  { step, say }: Report,
  env: NodeJS.ProcessEnv,
  ref: string,
): Promise<void> {
  const indented = (line: string): void => say(`  ${line}`);
  const images = await step('Images of PostgreSQL, NATS and Valkey', () => buildServers(env, false));
  const release = await step(`Images of ${IMAGES.join(' and ')}`, async () => {
    const made = await makeRelease(ref, env, indented, IMAGES);
    return { ...made, objects: partOf(made.objects) };
  });
  const installation = await createInstallation(images, indented);
  try {
    await step('PostgreSQL with TLS, NATS, Valkey', () => installation.startState(release));
    await step('The migration, and every copy ready', async () => {
      const written = await installation.apply(release, 1);
      return `${[...written.keys()].join(', ')}; ${installation.cluster.pods('Deployment', 'wallet').length} copies`;
    });
  } finally {
    await installation.close();
  }
}
