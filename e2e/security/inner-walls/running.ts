/** The processes of this machine, with their environments. */
import { readdir, readFile } from 'node:fs/promises';
import { environmentOf } from '@karaar/converting/environment';
import type { Target } from '../check.ts';

export type Running = { pid: number; account: number; environment: NodeJS.ProcessEnv };

export async function running(): Promise<Running[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  return Promise.all(
    pids.map(async (pid) => {
      // Empty for a process that has ended meanwhile.
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');
      // The folder may belong to root for its protection; only the status has the account.
      const account = Number(/^Uid:\s+(\d+)/m.exec(await read('status'))?.[1] ?? -1);
      return { pid, account, environment: environmentOf(await read('environ')) };
    }),
  );
}

/** Returns the processes of this product with this name; another product may run on the machine. */
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
