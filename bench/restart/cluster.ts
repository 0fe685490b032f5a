/** Two processes of each part behind a balancer, which are replaced one by one as by a Deployment. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startBacking } from '@karaar/testing/backing/backing';
import { backingPaths } from '@karaar/testing/backing/paths';
import { startChild, type Child } from '@karaar/testing/processes/child';
import { freePorts } from '@karaar/testing/processes/ports';
import { gatherFacts } from '@karaar/dev/product';
import { cloneRoot } from '@karaar/testing/roots';
import { until } from '@karaar/testing/until';
import {
  choosePorts,
  processEnv,
  processSpecs,
  type ProcessName,
  type Ports,
  type ProcessSpec,
} from '@karaar/dev/processes/services';
import { startBalancer, type Balancer } from '../lib/balancer.ts';
import { isSmoke } from '../lib/smoke.ts';

/** Parts with a single process: the sandbox, and processes with their own state. */
const SINGLE: readonly ProcessName[] = ['sandbox', 'witness', 'broker-admin'];

export const rolled = processSpecs.map(({ name }) => name).filter((name) => name !== 'sandbox');
export const replicasOf = (name: ProcessName): number => (isSmoke || SINGLE.includes(name) ? 1 : 2);

export type Cluster = {
  /** The URL of the gateway's balancer. */
  url: string;
  /** Replaces each process of a part by a ready one; with its own state, the old one ends first, as in a StatefulSet. */
  roll(name: ProcessName): Promise<void>;
  /** Sets variables of all processes that start from now on, or of those of one part. */
  configure(env: Record<string, string>, part?: ProcessName): void;
  /** Runs the operator's tool. @returns its output @throws Error with its output when it fails */
  karaar(args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** Returns a part's keys of files, in the format of `BLOB_KEK`. */
  blobKek(part: ProcessName): string;
  /** Describes the end of each replaced process. */
  readonly endings: readonly string[];
  stop(): Promise<void>;
};

const run = promisify(execFile);

type Replica = { child: Child; port: number; innerPort: number };
type Part = { spec: ProcessSpec; outer: Balancer; inner: Balancer | undefined; replicas: Replica[] };

const READY_MS = 90_000;

/** @param given variables that override those of every process */
export async function startCluster(stateDir: string, given: Record<string, string>): Promise<Cluster> {
  let env = given;
  const own = new Map<ProcessName, Record<string, string>>();
  const paths = backingPaths(stateDir);
  const backing = await startBacking({ stateDir });
  const ports = await choosePorts();
  const facts = await gatherFacts({}, paths, backing, ports);
  const parts = new Map<ProcessName, Part>();
  const endings: string[] = [];
  let started = 0;

  const partOf = (name: ProcessName): Part => {
    const part = parts.get(name);
    if (!part) throw new Error(`${name} does not run`);
    return part;
  };
  const envOf = (spec: ProcessSpec, at: Ports = ports[spec.name]): NodeJS.ProcessEnv =>
    processEnv(spec, facts, at, { ...env, ...own.get(spec.name) });

  async function launch({ spec, outer, inner, replicas }: Part): Promise<void> {
    const [port = 0, innerPort = 0] = await freePorts(2);
    started += 1;
    const name = `${spec.name}-${started}`;
    const child = await startChild({
      name,
      command: process.execPath,
      args: [join(cloneRoot, spec.entry)],
      cwd: cloneRoot,
      env: envOf(spec, { outer: port, inner: innerPort }),
      logFile: paths.log(name),
      recordFile: paths.record(name),
      stopSignal: 'SIGTERM',
    });
    const catchUp = startBehindOthers(child.pid);
    const url = `http://127.0.0.1:${port}${spec.readyPath}`;
    const isReady = async () => (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
    await until(`${name} is ready`, async () => !child.running() || isReady(), READY_MS);
    if (!child.running()) throw new Error(`${name} ended during its start`);
    catchUp();
    outer.add(port);
    inner?.add(innerPort);
    replicas.push({ child, port, innerPort });
  }

  async function end({ outer, inner, replicas }: Part, old: Replica): Promise<void> {
    replicas.splice(replicas.indexOf(old), 1);
    // Kubernetes sends the signal and removes the endpoint at about the same time, in any order.
    old.child.kill('SIGTERM');
    await sleep(200);
    outer.remove(old.port);
    inner?.remove(old.innerPort);
    endings.push(`${old.child.name} ${(await old.child.exited).text}`);
  }

  await Promise.all(
    processSpecs.map(async (spec) => {
      const at = ports[spec.name];
      const inner = spec.inner ? await startBalancer(at.inner) : undefined;
      const part: Part = { spec, outer: await startBalancer(at.outer), inner, replicas: [] };
      parts.set(spec.name, part);
      await Promise.all(Array.from({ length: replicasOf(spec.name) }, () => launch(part)));
    }),
  );

  return {
    url: facts.urls.gateway,
    endings,
    configure: (more, name) => {
      if (name === undefined) env = { ...env, ...more };
      else own.set(name, { ...own.get(name), ...more });
    },
    blobKek: (name) => String(envOf(partOf(name).spec)['BLOB_KEK']),
    karaar: async (args, more = {}) => {
      // An operator has the environment of auth and a role with access to every database.
      const { stdout } = await run(process.execPath, [join(cloneRoot, 'infra/ops/src/cli.ts'), ...args], {
        env: { ...envOf(partOf('auth').spec), ADMIN_DATABASE_URL: backing.postgresUrl, ...more },
      });
      return stdout.trim();
    },
    roll: async (name) => {
      const part = partOf(name);
      const hasOwnState = SINGLE.includes(name);
      for (const old of [...part.replicas]) {
        if (hasOwnState) await end(part, old);
        await launch(part);
        if (!hasOwnState) await end(part, old);
      }
    },
    stop: async () => {
      const all = [...parts.values()];
      await Promise.all(all.flatMap(({ replicas }) => replicas).map(({ child }) => child.stop()));
      for (const balancer of all.flatMap(({ outer, inner }) => [outer, inner])) balancer?.close();
      await backing.stop({ remove: true });
    },
  };
}

/**
 * A pod starts on its own processors; here a lower priority keeps it from taking those of the processes that answer.
 * @returns a function that restores the priority, if this user may
 */
function startBehindOthers(pid: number): () => void {
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  return () => {
    // Linux keeps a priority for each thread; elsewhere the process has one.
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) {
      try {
        setPriority(thread, constants.priority.PRIORITY_NORMAL);
      } catch (error) {
        const { info } = error as { info?: { code?: string } };
        // The thread has ended, or this user may not raise priorities.
        if (!['ESRCH', 'EACCES', 'EPERM'].includes(info?.code ?? '')) throw error;
      }
    }
  };
}
