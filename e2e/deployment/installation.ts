/** One installation: the servers outside the manifests, the cluster of pods, and the connections of callers. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join, parse } from 'node:path';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { run } from '@karaar/testing/machine/run';
import { createAuthority } from '@karaar/testing/people/authority';
import { workloads, type Values, type Workload } from '@karaar/k8s/objects';
import pMap from 'p-map';
import { Agent, setGlobalDispatcher } from 'undici';
import { createKubeCluster } from './cluster/kube-cluster.ts';
import { podmanEnv } from './cluster/podman.ts';
import { createPodmanCluster } from './cluster/podman-cluster.ts';
import { inRegistry, registry, type Release, type Servers } from './images.ts';
import { secretsOf, type Store } from './objects/secrets.ts';
import { caddyfile, frontTemplate, makeBucket, s3Template } from './state/outside.ts';
import { manageDatabase, postgresFiles, postgresTemplate, RELOAD_POSTGRES } from './state/postgres.ts';

export const HOST = 'karaar.localhost';
const folder = join(stateRoot, 'deployment', 'installation');
const RELOAD_FRONT = ['caddy', 'reload', '--config', '/config/Caddyfile', '--force'];
/** No service becomes ready without the streams of the broker admin and the keys of auth. */
const WAITED_FOR = ['broker-admin', 'auth'];

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

async function makeStore(): Promise<Store> {
  const to = join(folder, 'secrets');
  const command = ['make-secrets', '--host', HOST, '--to', to, '--sandbox'];
  await run(process.execPath, [join(cloneRoot, 'infra', 'ops', 'src', 'cli.ts'), ...command]);
  const entries = readdirSync(to).filter((file) => file.endsWith('.json'));
  return Object.fromEntries(
    entries.map((file) => [parse(file).name, JSON.parse(readFileSync(join(to, file), 'utf8')) as Values]),
  );
}

export async function createInstallation(images: Servers, say: (line: string) => void) {
  const env = podmanEnv();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'authority'), { recursive: true, mode: 0o700 });
  const imageOf = (image: string): string | undefined => {
    if (image.startsWith('karaar/')) return inRegistry(`localhost/${image}`);
    if (image.startsWith('localhost/')) return inRegistry(image);
    if (image.startsWith('nats:')) return inRegistry(images.nats);
    return image.startsWith('valkey/') ? inRegistry(images.valkey) : undefined;
  };
  const create = registry === undefined ? createPodmanCluster : createKubeCluster;
  const cluster = await create({ env, folder, log: say, imageOf });
  const issuer = await createAuthority(join(folder, 'authority'));
  const authority = readFileSync(issuer.certificateFile, 'utf8');
  const certificateFor = async (host: string): Promise<Values> => {
    const { key, cert } = await issuer.issue([`DNS:${host}`]);
    return { 'tls.key': key.toString(), 'tls.crt': cert.toString() };
  };
  const operator = { address: cluster.callerAddress, password: randomBytes(18).toString('hex') };
  const databaseAddress = cluster.addressOf('postgres-1');
  let release: Release | undefined;
  let store: Store = {};
  let front: Values | undefined;

  const secrets = (): Map<string, Values> =>
    new Map([
      ...secretsOf(release?.objects ?? [], store),
      ['postgres-ca', { 'ca.crt': authority }] as const,
      ...(front ? [['karaar-tls', { 'tls.crt': front['tls.crt'] ?? '' }] as const] : []),
    ]);

  async function want(wanted: Release): Promise<void> {
    release = wanted;
    await cluster.want(wanted.objects, secrets());
  }
  const manage = ({ objects }: Release): Promise<void> =>
    manageDatabase(objects, (name) => secrets().get(name), {
      host: databaseAddress,
      password: operator.password,
      authority,
    });

  /** Rolls out every Deployment, `width` at a time: first those that others wait for, so that no pod waits for long. */
  async function rollDeployments({ objects }: Release, width: number): Promise<void> {
    const rank = ({ name }: Workload): number =>
      WAITED_FOR.includes(name) ? WAITED_FOR.indexOf(name) : WAITED_FOR.length;
    const deployments = workloads(objects).filter(({ kind }) => kind === 'Deployment');
    const waiting = deployments.toSorted((a, b) => rank(a) - rank(b));
    await pMap(waiting, (next) => cluster.rollDeployment(next), { concurrency: width });
  }

  /** How callers connect: to the address of the front, trusting the authority of the test. */
  const connecting = () => {
    const address = cluster.addressOf('front');
    const lookup: LookupFunction = (name, options, done) => {
      const found = name === HOST ? address : name;
      if (options.all === true) done(null, [{ address: found, family: 4 }]);
      else done(null, found, 4);
    };
    return { ca: authority, lookup };
  };

  return {
    url: `https://${HOST}`,
    ...{ cluster, connecting, authority, databaseAddress },
    /** Returns the values of a secret. @throws Error if the objects do not define it */
    secretOf(name: string): Values {
      const found = secrets().get(name);
      if (!found) throw new Error(`The secret ${name} was not found`);
      return found;
    },
    /** Changes all properties of an entry of the store; pods receive them when a release is applied. */
    changeEntry(entry: string, change: (value: string) => string): void {
      const properties = Object.entries(store[entry] ?? {});
      if (properties.length === 0) throw new Error(`The store has no entry ${entry}`);
      store = {
        ...store,
        [entry]: Object.fromEntries(properties.map(([name, value]) => [name, change(value)])),
      };
    },
    /** Replaces the certificates of the front and of PostgreSQL while they run. */
    async renewCertificates(): Promise<void> {
      front = await certificateFor(HOST);
      await cluster.renewFiles('front', front, RELOAD_FRONT);
      await cluster.renewFiles('postgres-1', await certificateFor('postgres-rw'), RELOAD_POSTGRES);
    },
    async startState(wanted: Release): Promise<void> {
      if (Object.keys(store).length === 0) store = await makeStore();
      front = await certificateFor(HOST);
      await want(wanted);
      const template = postgresTemplate(wanted.objects, images.postgres, operator);
      const files = postgresFiles(wanted.objects, await certificateFor('postgres-rw'), operator);
      const server = { name: 'postgres-1', host: 'postgres-rw', template, files, claims: ['data'] };
      await cluster.startServer(server);
      await manage(wanted);
      await cluster.rollSets(['nats', 'valkey']);
    },
    /** Does what a cluster does after `kubectl apply`: runs Jobs, then replaces pods. @returns the Jobs' names */
    async apply(wanted: Release, width: number): Promise<string[]> {
      await want(wanted);
      await manage(wanted);
      const jobs = await cluster.runJobs();
      await cluster.rollSets(['nats', 'valkey', 'witness']);
      await rollDeployments(wanted, width);
      return jobs;
    },
    async startFiles(): Promise<void> {
      await cluster.startServer({ name: 's3', host: 's3', template: s3Template, files: {} });
      await makeBucket(cluster.addressOf('s3'));
    },
    async startFront(): Promise<void> {
      front ??= await certificateFor(HOST);
      const files = { Caddyfile: caddyfile(HOST), ...front };
      await cluster.startServer({ name: 'front', template: frontTemplate, files });
      setGlobalDispatcher(new Agent({ connect: connecting() }));
    },
  };
}
