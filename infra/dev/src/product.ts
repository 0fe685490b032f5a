import { join } from 'node:path';
import { startBacking, type Backing } from '@karaar/testing/backing/backing';
import { ensureDatabases } from '@karaar/testing/backing/databases';
import { backingPaths, type BackingPaths } from '@karaar/testing/backing/paths';
import { makeModels } from '@karaar/testing/faces/models';
import { printerPath, sofficePath } from '@karaar/testing/machine/programs';
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

export interface ProductOptions {
  stateDir: string;
  port?: number;
  /** Address that the gateway listens on; loopback by default. */
  host?: string;
  /** Variables that override those of every process. */
  env?: Record<string, string | undefined>;
  /** Logs nothing; otherwise `log` gets the lines, by default standard output. */
  quiet?: boolean;
  log?: Log;
  /** False if another process builds the front end. */
  web?: boolean;
  /** Absolute paths of main files that replace those of the clone, such as bundles. */
  entries?: Partial<Record<ProcessName, string>>;
  /** Changes the URLs of the processes, to put proxies between them. */
  between?: (facts: ProductFacts) => Promise<ProductFacts>;
  /** Longest pause before a process that ended by itself is restarted. */
  restartPauseMs?: number;
}

/** One process of the running product. A process that ends by itself is restarted. */
interface ProductProcess extends Pick<Part, 'pid' | 'url' | 'running' | 'kill' | 'waitReady'> {
  readonly name: ProcessName;
  readonly innerUrl: string | undefined;
  /** Ends it; it stays down until `start`. */
  stop(): Promise<void>;
  /** Starts or restarts it. If it does not come up, rejects and leaves it down. */
  start(): Promise<void>;
}

export interface Product {
  readonly url: string;
  readonly processes: readonly ProductProcess[];
  process(name: ProcessName): ProductProcess;
  readonly backing: Backing;
  /** Drains and stops everything; `remove` also deletes the state folder. */
  stop(options?: { remove?: boolean }): Promise<void>;
}

/**
 * Starts backing services, databases and every process of `processSpecs`, builds the front end if its sources
 * changed, and waits until all are ready. All of them end with this process.
 * @throws SetupError that names the process that did not start, or what the caller can change
 */
export async function startProduct(options: ProductOptions): Promise<Product> {
  const log: Log = options.quiet === true ? () => undefined : (options.log ?? console.log);
  const paths = backingPaths(options.stateDir);
  await Promise.all(processSpecs.map(({ name }) => stopOrphan(paths.record(name))));
  const ports = await portsFor(options);
  const abort = new AbortController();
  const web = options.web === false ? Promise.resolve() : buildWebLoudly(log, abort.signal);
  web.catch(() => abort.abort()); // its error is thrown below
  const models = makeModels();
  models.catch(() => abort.abort());
  const backing = await startBacking({ stateDir: options.stateDir, log });
  const running: ProductProcess[] = [];
  const starting: Promise<unknown>[] = [web];
  try {
    const gathered = await gatherFacts(paths, backing, ports);
    const facts = (await options.between?.(gathered)) ?? gathered;
    await models;
    for (const spec of processSpecs) {
      const started = startProcess(spec, facts, ports[spec.name], { ...options, log, abort: abort.signal });
      starting.push(started.then((one) => running.push(one)));
    }
    await Promise.all(starting);
    // Restarts PostgreSQL, NATS and Redis too, if they were started here.
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
    // The first error is the cause; the others follow from it.
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

/** Creates the databases and returns the facts for the environments of the processes. */
async function gatherFacts(paths: BackingPaths, backing: Backing, ports: AllPorts): Promise<ProductFacts> {
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
    publicUrl: `http://localhost:${ports.gateway.outer}`,
    natsUrl: backing.natsUrl,
    redisUrl: backing.redisUrl,
    databaseUrls: Object.fromEntries(withDatabase.map(({ name }) => [name, byName[`karaar_${name}`]])),
    chromium: printerPath(process.env, path),
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
  let letGo = supervise(part, options.log, options.restartPauseMs);
  return {
    name: spec.name,
    url: part.url,
    innerUrl: spec.inner ? `http://127.0.0.1:${ports.inner}` : undefined,
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
      letGo = supervise(part, options.log, options.restartPauseMs);
    },
  };
}

/** Stops the gateway first, so that no request comes in, then all others in parallel. */
async function stopProcesses(running: readonly ProductProcess[]): Promise<void> {
  await running.find(({ name }) => name === 'gateway')?.stop();
  await Promise.all(running.map((each) => each.stop()));
}

async function buildWebLoudly(log: Log, abort: AbortSignal): Promise<void> {
  if (webIsBuilt()) return;
  const began = Date.now();
  log('front end: building');
  await buildWeb(abort);
  log(`front end: built (${seconds(began)})`);
}
