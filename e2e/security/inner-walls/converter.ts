/** The process that reads uploads, looked at from the account of a program that a file has taken over. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { secretsIn } from '@karaar/converting/environment';
import type { Finding, ProductCheck, Target } from '../check.ts';
import { processesOf, running } from './running.ts';

/** What was seen of the running converter. */
export type Seen = {
  isolation: string;
  environment: NodeJS.ProcessEnv;
  /** Processes of the product whose environment its account could read; undefined where nobody can try that. */
  readable: readonly string[] | undefined;
  /** How many programs were running that it has started for files. */
  programs: number;
  /** Network interfaces of the programs that it has started for files, besides loopback. */
  interfaces: readonly string[];
};

const where = 'converter';

export function findingsOf({ isolation, environment, readable, programs, interfaces }: Seen): Finding[] {
  return [
    ...secretsIn(environment).map((name) => ({ where, what: `its environment has ${name}` })),
    ...(readable ?? []).map((name) => ({ where, what: `its account reads the environment of ${name}` })),
    ...(readable === undefined
      ? [
          {
            where,
            what: 'whether its account reads others can be tried by root only',
            undecided: true as const,
          },
        ]
      : []),
    ...interfaces.map((name) => ({ where, what: `a program that reads files has the network ${name}` })),
    ...(programs === 0
      ? [{ where, what: 'no program that reads files was running', undecided: true as const }]
      : []),
    ...(isolation === 'none'
      ? [{ where, what: 'this system gives its programs no namespaces', undecided: true as const }]
      : []),
  ];
}

/** True when a process of this account reads the environment of another one. */
export async function readsEnvironment(account: number, pid: number): Promise<boolean> {
  const asAccount = { uid: account, gid: account, env: {}, cwd: '/' };
  return promisify(execFile)('/bin/cat', [`/proc/${pid}/environ`], asAccount).then(
    ({ stdout }) => stdout.length > 0,
    () => false,
  );
}

async function interfacesOf(pid: number): Promise<string[]> {
  const own = await stat('/proc/self/ns/net');
  const theirs = await stat(`/proc/${pid}/ns/net`).catch(() => undefined); // it ended meanwhile
  if (theirs === undefined) return [];
  if (theirs.ino === own.ino) return ['of the machine'];
  const text = await readFile(`/proc/${pid}/net/dev`, 'utf8').catch(() => '');
  return [...text.matchAll(/^\s*([^\s:]+):/gm)].map(([, name = '']) => name).filter((name) => name !== 'lo');
}

async function look({ inside }: Target): Promise<Finding[]> {
  const url = inside.services['converter'];
  if (url === undefined) return [{ where, what: 'it is not a process of its own' }];
  const health = (await (await fetch(`${url}/healthz`)).json()) as { isolation?: unknown };
  const all = await running();
  const [converter] = processesOf('converter', inside, all);
  if (!converter) return [{ where, what: 'its process was not found', undecided: true }];
  const { account, environment } = converter;
  const readable: string[] = [];
  for (const name of Object.keys(inside.services))
    for (const one of processesOf(name, inside, all))
      if (await readsEnvironment(account, one.pid)) readable.push(name);
  const folder = `${environment['WORK_DIR']}/`;
  const programs = all.filter(
    (one) => one.environment['HOME']?.startsWith(folder) && /office/.test(one.environment['HOME']),
  );
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
  holds: 'what reads uploads has no secret, reads the environment of no process, and reaches no network',
  run: look,
};
