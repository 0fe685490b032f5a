/** Tests the converter from the account of a program that a hostile file has taken over. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { secretsIn } from '@karaar/converting/environment';
import type { Finding, ProductCheck, Target } from '../check.ts';
import { processesOf, running } from './running.ts';

export type Seen = {
  isolation: string;
  environment: NodeJS.ProcessEnv;
  /** Processes whose environment its account can read; undefined if the run may not try that. */
  readable: readonly string[] | undefined;
  /** The number of running programs that read files. */
  programs: number;
  /** Network interfaces of these programs, without loopback. */
  interfaces: readonly string[];
};

const where = 'converter';

export function findingsOf({ isolation, environment, readable, programs, interfaces }: Seen): Finding[] {
  const open = [
    ...(readable === undefined ? ['only root can test which environments its account reads'] : []),
    ...(programs === 0 ? ['no program that reads files was running'] : []),
    ...(isolation === 'none' ? ['this system has no namespaces for its programs'] : []),
  ];
  return [
    ...secretsIn(environment).map((name) => ({ where, what: `its environment has ${name}` })),
    ...(readable ?? []).map((name) => ({ where, what: `its account reads the environment of ${name}` })),
    ...interfaces.map((name) => ({ where, what: `a program that reads files has the network ${name}` })),
    ...open.map((what) => ({ where, what, undecided: true as const })),
  ];
}

/** Returns true if a process of this account can read the environment of another one. */
export const readsEnvironment = (account: number, pid: number): Promise<boolean> =>
  promisify(execFile)('/bin/cat', [`/proc/${pid}/environ`], {
    uid: account,
    gid: account,
    env: {},
    cwd: '/',
  }).then(
    ({ stdout }) => stdout.length > 0,
    () => false,
  );

async function interfacesOf(pid: number): Promise<string[]> {
  const own = await stat('/proc/self/ns/net');
  const theirs = await stat(`/proc/${pid}/ns/net`).catch(() => undefined); // the process has ended
  if (theirs?.ino === own.ino) return ['of the machine'];
  const text = await readFile(`/proc/${pid}/net/dev`, 'utf8').catch(() => '');
  return [...text.matchAll(/^\s*([^\s:]+):/gm)].map(([, name = '']) => name).filter((name) => name !== 'lo');
}

async function look({ inside }: Target): Promise<Finding[]> {
  const url = inside.services['converter'];
  if (url === undefined) return [{ where, what: 'it is not a separate process' }];
  const health = (await (await fetch(`${url}/healthz`)).json()) as { isolation?: unknown };
  const all = await running();
  const [converter] = processesOf('converter', inside, all);
  if (!converter) return [{ where, what: 'its process was not found', undecided: true }];
  const { account, environment } = converter;
  const readable: string[] = [];
  for (const name of Object.keys(inside.services))
    for (const { pid } of processesOf(name, inside, all))
      if (await readsEnvironment(account, pid)) readable.push(name);
  const isProgram = (home = '') => home.startsWith(`${environment['WORK_DIR']}/`) && home.includes('office');
  const programs = all.filter((one) => isProgram(one.environment['HOME']));
  const isolation = String(health.isolation);
  const interfaces = await Promise.all(programs.map(({ pid }) => interfacesOf(pid)));
  return findingsOf({
    isolation,
    environment,
    readable: process.getuid?.() === 0 ? readable : undefined,
    programs: programs.length,
    interfaces: isolation === 'none' ? [] : [...new Set(interfaces.flat())],
  });
}

export const converter: ProductCheck = {
  name: 'converter',
  holds: 'the converter has no secrets and reads no other environment, and its programs have no network',
  run: look,
};
