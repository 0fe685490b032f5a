import { setTimeout as sleep } from 'node:timers/promises';
import { SERVICE_NAMES } from '@karaar/contracts/names';
import { agree, bearAlone, createDocument, topUp } from '../../src/journey.ts';
import type { Installation } from '../installation.ts';
import { underLoad } from './load.ts';
import type { Sealed } from './sealed.ts';

const AWAY_MS = 60_000;

/**
 * Stops the broker for a minute. Reading goes on, and no pod is restarted or becomes unready. Paying goes on as well,
 * because its requests do not use the broker (ADR 0073).
 */
export async function brokerAway(installation: Installation, { owner, guest }: Sealed): Promise<string> {
  const { cluster, url } = installation;
  const id = await createDocument(owner);
  await agree(owner, guest, id);
  await topUp(url, owner, 10);
  await bearAlone(owner, id);
  const pods = async () => {
    const names = ['gateway', ...SERVICE_NAMES];
    return (await Promise.all(names.map((name) => cluster.pods('Deployment', name)))).flat();
  };
  const restarts = async () => (await pods()).reduce((sum, pod) => sum + pod.restarts, 0);
  const before = await restarts();
  let paid = 0;
  const reading = await underLoad(installation, owner, 'reading', async () => {
    await cluster.stopSet('nats');
    await sleep(AWAY_MS);
    ({ status: paid } = await owner.once('POST', `/payments/document/${id}/pay`, {}));
    const away = (await pods()).filter(({ isReady }) => !isReady);
    if (away.length > 0)
      throw new Error(`not ready without the broker: ${away.map(({ name }) => name).join(', ')}`);
    await cluster.rollSets(['nats']);
  });
  if ((await restarts()) !== before) throw new Error('pods were restarted while the broker was down');
  if (paid !== 200) throw new Error(`paying answered ${paid} without the broker`);
  return `reading: ${reading}; paying went on`;
}
