import { join } from 'node:path';
import { startBacking, type Backing } from '@karaar/testing/backing/backing';
import { ensureDatabases } from '@karaar/testing/backing/databases';
import { backingPaths, type BackingPaths } from '@karaar/testing/backing/paths';
import { makeModels } from '@karaar/testing/faces/models';
import { chromiumPath, sofficePath } from '@karaar/testing/machine/programs';
import { seconds, SetupError } from '@karaar/testing/machine/report';
import { startChild, stopOrphan } from '@karaar/testing/processes/child';
import { runPart, type Part } from '@karaar/testing/processes/part';
import { portIsFree } from '@karaar/testing/processes/ports';
import { cloneRoot } from '@karaar/testing/roots';
import { supervise } from './processes/supervise.ts';
import { buildWeb, webIsBuilt } from './web/web-build.ts';
import {
  choosePorts,
  innerUrlsOf,
  processEnv,
  processSpecs,
  type Ports,
  type ProcessName,
  type ProcessSpec,
  type ProductFacts,
} from './processes/services.ts';

type Log = (line: string) => void;

/** How to start the product. */
export interface ProductOptions {
  /** Folder for its data, logs and secrets. */
  stateDir: string;
  /** The public port; any free one when absent. */
  port?: number;
  /** Address the gateway listens on; loopback when absent. */
  host?: string;
  /** Address in the product's own links, where something stands in front of the gateway. */
  publicUrl?: string;
  /** Variables for every process, stronger than what it would get. */
  env?: Record<string, string | undefined>;
  /** No lines at all; else `log` gets them, or standard output. */
  quiet?: boolean;
  log?: Log;
  /** false: another process builds the front end. */
  web?: boolean;
  /** Other main files than those of the clone, as bundles: absolute paths. */
  entries?: Partial<Record<ProcessName, string>>;
  /** Other addresses for the processes, where something is between them and what they use. */
  between?: (facts: ProductFacts) => Promise<ProductFacts>;
  /** Longest pause before a part that ended by itself is started again; some seconds when absent. */
  restartPauseMs?: number;
}

/** One process of the running product. A process that ends by itself is restarted. */
interface ProductProcess extends Pick<Part, 'pid' | 'url' | 'running' | 'kill' | 'waitReady'> {
  readonly name: ProcessName;
  /** Base URL of its internal port, where it has one. */
  readonly innerUrl: string | undefined;
  /** Ends it and leaves it down until `start`. */
  stop(): Promise<void>;
  /** Starts or restarts it; rejects when it does not come up, and leaves it down then. */
  start(): Promise<void>;
}

/** The running product. */
export interface Product {
  readonly url: string;
  readonly processes: readonly ProductProcess[];
  process(name: ProcessName): ProductProcess;
  readonly backing: Backing;
  /** Drains and stops everything; `remove` deletes the state directory as well. */
  stop(options?: { remove?: boolean }): Promise<void>;
}

/**
 * Starts the whole product: backing services, databases and every process of `processSpecs`, and waits until all are ready;
 * builds the front end meanwhile when its sources have changed. All end with this process, however it ends.
 *
 * @throws SetupError for what the caller can change; Error naming the process that did not start
 */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const log: Log = options.quiet === true ? () => undefined : (options.log ?? console.log);
  const paths = backingPaths(options.stateDir);
  await Promise.all(processSpecs.map(({ name }) => stopOrphan(paths.record(name))));
  const ports = await portsFor(options);
  const abort = new AbortController();
  const web = options.web === false ? Promise.resolve() : buildWebLoudly(log, abort.signal);
  web.catch(() => abort.abort()); // its fault is thrown below; nothing else needs to go on
  const models = makeModels();
  models.catch(() => abort.abort()); // as above
  const backing = await startBacking({ stateDir: options.stateDir, log });
  const running: ProductProcess[] = [];
  const starting: Promise<unknown>[] = [web];
  try {
    const gathered = await gatherFacts(options, paths, backing, ports);
    const facts = (await options.between?.(gathered)) ?? gathered;
    await models;
    for (const spec of processSpecs) {
      const started = startProcess(spec, facts, ports[spec.name], { ...options, log, abort: abort.signal });
      starting.push(started.then((one) => running.push(one)));
    }
    await Promise.all(starting);
    // PostgreSQL, NATS and Redis come back as well, where they were started here.
    const guards = backing.parts.map((part) => supervise(part, log, options.restartPauseMs));
    return {
      url: facts.publicUrl,
      processes: running,
      process: (name) => {
        const found = running.find((each) => each.name === name);
        if (found === undefined) throw new Error(`${name} is not a process of the product`);
        return found;
      },
      backing,
      stop: async (how) => {
        await stopProcesses(running);
        for (const letGo of guards) letGo();
        await backing.stop(how);
      },
    };
  } catch (error) {
    // The first fault tells why; the others are its consequences or say the same.
    abort.abort();
    await Promise.allSettled(starting);
    await stopProcesses(running);
    await backing.stop();
    throw new SetupError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

type AllPorts = Record<ProcessName, Ports>;

async function portsFor(options: ProductOptions): Promise<AllPorts> {
  const ports = await choosePorts();
  const wanted = options.port ?? 0;
  if (wanted === 0) return ports;
  if (!(await portIsFree(wanted, options.host)))
    throw new SetupError(
      `Port ${wanted} is in use by another program. Choose another one: PORT=${wanted + 1} npm start`,
    );
  return { ...ports, gateway: { ...ports.gateway, outer: wanted } };
}

/** Makes the databases. @returns everything from which the environments of the processes are made */
export async function gatherFacts(
  options: Pick<ProductOptions, 'publicUrl'>,
  paths: BackingPaths,
  backing: Backing,
  ports: AllPorts,
): Promise<ProductFacts> {
  const withDatabase = processSpecs.filter(({ database }) => database);
  const databases = withDatabase.map(({ name }) => ({
    name: `karaar_${name}`,
    password: paths.secret(`database-${name}`),
    runtimePassword: paths.secret(`database-${name}-app`),
  }));
  const byName = await ensureDatabases(backing.postgresUrl, databases);
  const path = process.env['PATH'] ?? '';
  return {
    paths,
    urls: Object.fromEntries(
      Object.entries(ports).map(([name, { outer }]) => [name, `http://127.0.0.1:${outer}`]),
    ) as ProductFacts['urls'],
    innerUrls: innerUrlsOf(ports),
    mailPort: ports.sandbox.inner,
    publicUrl: options.publicUrl ?? `http://localhost:${ports.gateway.outer}`,
    natsUrl: backing.natsUrl,
    redisUrl: backing.redisUrl,
    databaseUrls: Object.fromEntries(withDatabase.map(({ name }) => [name, byName[`karaar_${name}`]])),
    chromium: chromiumPath(process.env, path),
    soffice: sofficePath(process.env, path),
  };
}

async function startProcess(
  spec: ProcessSpec,
  facts: ProductFacts,
  ports: Ports,
  options: ProductOptions & { log: Log; abort: AbortSignal },
): Promise<ProductProcess> {
  const began = Date.now();
  const host =
    spec.name === 'gateway' && options.host !== undefined
      ? { HOST: options.host, EXPOSED_DEVELOPMENT: process.env['EXPOSED_DEVELOPMENT'] || undefined }
      : {};
  const entry = options.entries?.[spec.name] ?? join(cloneRoot, spec.entry);
  const part = await runPart({
    name: spec.name,
    port: ports.outer,
    logFile: facts.paths.log(spec.name),
    abort: options.abort,
    url: (chosen) => `http://127.0.0.1:${chosen}`,
    launch: () =>
      startChild({
        name: spec.name,
        command: process.execPath,
        args: [entry],
        cwd: cloneRoot,
        env: processEnv(spec, facts, ports, { ...host, ...options.env }),
        logFile: facts.paths.log(spec.name),
        recordFile: facts.paths.record(spec.name),
        stopSignal: 'SIGTERM',
      }),
    probe: async (chosen) => {
      const answer = await fetch(`http://127.0.0.1:${chosen}${spec.readyPath}`, {
        signal: AbortSignal.timeout(2_000),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${spec.readyPath} answers ${answer.status} ${text.slice(0, 200)}`);
    },
  });
  options.log(`${spec.name}: ready (${seconds(began)})`);
  const innerUrl = spec.inner ? `http://127.0.0.1:${ports.inner}` : undefined;
  return supervised(spec.name, part, innerUrl, options.log, options.restartPauseMs);
}

function supervised(
  name: ProcessName,
  part: Part,
  innerUrl: string | undefined,
  log: Log,
  pauseMs?: number,
): ProductProcess {
  let letGo = supervise(part, log, pauseMs);
  return {
    name,
    url: part.url,
    innerUrl,
    get pid() {
      return part.pid;
    },
    running: part.running,
    kill: part.kill,
    waitReady: part.waitReady,
    stop: async () => {
      letGo();
      await part.stop();
    },
    start: async () => {
      letGo();
      await part.restart();
      letGo = supervise(part, log, pauseMs);
    },
  };
}

/** First the port, so that nothing new comes in; then everyone behind it at the same time. */
async function stopProcesses(running: readonly ProductProcess[]): Promise<void> {
  const gateway = running.filter(({ name }) => name === 'gateway');
  const others = running.filter(({ name }) => name !== 'gateway');
  await Promise.all(gateway.map((each) => each.stop()));
  await Promise.all(others.map((each) => each.stop()));
}

async function buildWebLoudly(log: Log, abort: AbortSignal): Promise<void> {
  if (webIsBuilt()) return;
  const began = Date.now();
  log('front end: building');
  await buildWeb(abort);
  log(`front end: built (${seconds(began)})`);
}
