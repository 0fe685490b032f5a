/** The processes of this machine, with what they were started with. */
import { readdir, readFile } from 'node:fs/promises';
import { environmentOf } from '@karaar/converting/environment';
import type { Target } from '../check.ts';

export type Running = { pid: number; account: number; environment: NodeJS.ProcessEnv };

/** The processes that this account may look at. */
export async function running(): Promise<Running[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => ''); // it ended meanwhile
      // The owner of the folder may be root for its own protection; the status tells the account.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const account = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? -1);
      return { pid, account, environment: environmentOf(text) };
    }),
  );
}

/** Those of a part of the product that is looked at, and of no other that runs on this machine. */
export const processesOf = (
  name: string,
  { services }: Pick<Target['inside'], 'services'>,
  all: readonly Running[],
): Running[] =>
  all.filter(
    ({ environment }) =>
      environment['SERVICE_NAME'] === name &&
      environment['PORT'] === new URL(services[name] ?? 'http://none:1').port,
  );
