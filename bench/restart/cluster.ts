/** Two processes of each part behind a balancer, and their replacement one by one, as a Deployment does it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startBacking } from '@karaar/testing/backing/backing';
import { backingPaths } from '@karaar/testing/backing/paths';
import { startChild, type Child } from '@karaar/testing/processes/child';
import { freePorts } from '@karaar/testing/processes/ports';
import { gatherFacts } from '@karaar/dev/product';
import { cloneRoot } from '@karaar/testing/roots';
import {
  choosePorts,
  processEnv,
  processSpecs,
  type ProcessName,
  type Ports,
  type ProcessSpec,
} from '@karaar/dev/processes/services';
import { startBalancer, type Balancer } from '../lib/balancer.ts';
import { startBehindOthers } from '../lib/priority.ts';
import { isSmoke } from '../lib/smoke.ts';

/** There is one process of each: the stand-in for the world outside, and processes with state of their own. */
const SINGLE: readonly ProcessName[] = ['sandbox', 'witness', 'broker-admin'];

export const rolled = processSpecs.map(({ name }) => name).filter((name) => name !== 'sandbox');
/** How many processes of a part run. */
export const replicasOf = (name: ProcessName): number => (isSmoke || SINGLE.includes(name) ? 1 : 2);

export type Cluster = {
  /** Of the gateway's balancer. */
  url: string;
  /**
   * Replaces each process of a part: the new one is ready before the old one is told to stop. A process that must be
   * alone with its state ends before the new one starts, as in a StatefulSet.
   */
  roll(name: ProcessName): Promise<void>;
  /** Sets variables of all processes, or those of one part, that are launched from now on. */
  configure(env: Record<string, string>, part?: ProcessName): void;
  /** Runs the operator's tool. @returns what it says @throws Error with what it says when it fails */
  karaar(args: readonly string[], env?: Record<string, string>): Promise<string>;
  /** The keys of files that a part has now, as `BLOB_KEK` has them. */
  blobKek(part: ProcessName): string;
  /** How the processes ended that were told to stop. */
  readonly endings: readonly string[];
  stop(): Promise<void>;
};

const run = promisify(execFile);

type Replica = { child: Child; port: number; innerPort: number };
/** The balancers before the processes of a part, one for each of their doors. */
type Balancers = { outer: Balancer; inner: Balancer | undefined };

const READY_MS = 90_000;
const READY_EVERY_MS = 100;

/** @param given for every process, over what it would get */
export async function startCluster(stateDir: string, given: Record<string, string>): Promise<Cluster> {
  let env = given;
  const own = new Map<ProcessName, Record<string, string>>();
  const paths = backingPaths(stateDir);
  const backing = await startBacking({ stateDir });
  const ports = await choosePorts();
  const facts = await gatherFacts({}, paths, backing, ports);
  const balancers = new Map<ProcessName, Balancers>();
  const replicas = new Map<ProcessName, Replica[]>();
  const endings: string[] = [];
  let started = 0;

  const specOf = (name: ProcessName): ProcessSpec => {
    const spec = processSpecs.find((one) => one.name === name);
    if (!spec) throw new Error(`${name} is not a part`);
    return spec;
  };
  const envOf = (spec: ProcessSpec, at: Ports = ports[spec.name]): NodeJS.ProcessEnv =>
    processEnv(spec, facts, at, { ...env, ...own.get(spec.name) });

  async function launch(spec: ProcessSpec): Promise<Replica> {
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
    await ready(`http://127.0.0.1:${port}${spec.readyPath}`, child);
    catchUp();
    return { child, port, innerPort };
  }

  async function populate(spec: ProcessSpec): Promise<void> {
    const own = ports[spec.name];
    const before: Balancers = {
      outer: await startBalancer(own.outer),
      inner: spec.inner ? await startBalancer(own.inner) : undefined,
    };
    balancers.set(spec.name, before);
    const running = await Promise.all(Array.from({ length: replicasOf(spec.name) }, () => launch(spec)));
    for (const replica of running) add(before, replica);
    replicas.set(spec.name, running);
  }

  await Promise.all(processSpecs.map(populate));

  return {
    url: facts.urls.gateway,
    endings,
    configure: (more, part) => {
      if (part === undefined) env = { ...env, ...more };
      else own.set(part, { ...own.get(part), ...more });
    },
    blobKek: (part) => String(envOf(specOf(part))['BLOB_KEK']),
    karaar: async (args, more = {}) => {
      // As an operator has it: the environment of auth, and a role that reaches every database.
      const { stdout } = await run(process.execPath, [join(cloneRoot, 'infra/ops/src/cli.ts'), ...args], {
        env: { ...envOf(specOf('auth')), ADMIN_DATABASE_URL: backing.postgresUrl, ...more },
      });
      return stdout.trim();
    },
    roll: async (name) => {
      const spec = specOf(name);
      const before = balancers.get(name);
      const own = replicas.get(name);
      if (!before || !own) throw new Error(`${name} does not run`);
      for (const old of [...own]) {
        const end = async (): Promise<void> => {
          own.splice(own.indexOf(old), 1);
          // Kubernetes does both at once, in no order: the signal and the endpoint's removal.
          old.child.kill('SIGTERM');
          await sleep(200);
          remove(before, old);
          endings.push(`${old.child.name} ${(await old.child.exited).text}`);
        };
        const begin = async (): Promise<void> => {
          const next = await launch(spec);
          add(before, next);
          own.push(next);
        };
        if (SINGLE.includes(name)) await end();
        await begin();
        if (!SINGLE.includes(name)) await end();
      }
    },
    stop: async () => {
      await Promise.all([...replicas.values()].flat().map(({ child }) => child.stop()));
      for (const { outer, inner } of balancers.values()) {
        outer.close();
        inner?.close();
      }
      await backing.stop({ remove: true });
    },
  };
}

function add({ outer, inner }: Balancers, { port, innerPort }: Replica): void {
  outer.add(port);
  inner?.add(innerPort);
}

function remove({ outer, inner }: Balancers, { port, innerPort }: Replica): void {
  outer.remove(port);
  inner?.remove(innerPort);
}

async function ready(url: string, child: Child): Promise<void> {
  const end = Date.now() + READY_MS;
  while (child.running() && Date.now() < end) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(READY_EVERY_MS);
  }
  throw new Error(`${child.name} did not get ready`);
}
