import { setTimeout as sleep } from 'node:timers/promises';
import { agree, createDocument, payAlone, topUp } from '@karaar/e2e/src/journey.ts';
import type { Installation } from '../installation.ts';
import { underLoad, withoutFailure } from './load.ts';
import type { Sealed } from './main-job.ts';

const AWAY_MS = 60_000;

/** The broker is away for a minute: people read and pay on, no pod is taken out or started again. */
export async function brokerAway(installation: Installation, { owner, guest }: Sealed): Promise<string> {
  const { cluster, url } = installation;
  const id = await createDocument(owner);
  await agree(owner, guest, id);
  await topUp(url, owner, 10);
  const names = ['gateway', 'auth', 'documents', 'payments', 'wallet', 'messaging', 'vision', 'cms'];
  const pods = () => names.flatMap((name) => cluster.pods('Deployment', name));
  const restarts = () => pods().reduce((sum, pod) => sum + pod.restarts(), 0);
  const before = restarts();
  const load = await underLoad(installation, owner, async () => {
    await cluster.stopSet('nats');
    await sleep(AWAY_MS / 2);
    await payAlone(owner, id);
    await sleep(AWAY_MS / 2);
    const away = pods().filter((pod) => !pod.isReady());
    if (away.length > 0) throw new Error(`not ready without the broker: ${away.map(({ name }) => name).join(', ')}`);
    await cluster.rollSets(['nats']);
  });
  if (restarts() !== before) throw new Error('pods were started again while the broker was away');
  return `paid meanwhile; ${withoutFailure(load)}`;
}
