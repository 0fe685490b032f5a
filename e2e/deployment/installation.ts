/** One installation: what is beside the manifests, the cluster of pods, and how callers reach it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join, parse } from 'node:path';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { run } from '@karaar/testing/machine/run';
import type { PodSpec, Values } from '@karaar/k8s/objects';
import { Agent, setGlobalDispatcher } from 'undici';
import { createAddresses } from './cluster/addresses.ts';
import { createCluster } from './cluster/cluster.ts';
import { GATEWAY_OF_NETWORK, podmanBy, podmanEnv } from './cluster/podman.ts';
import { startPod, type RunningPod } from './cluster/running-pod.ts';
import type { Release, Servers } from './images.ts';
import { podOf, type Sources } from './objects/pod.ts';
import { secretsOf, type Store } from './objects/secrets.ts';
import { certify, type KeyPair } from './state/certificates.ts';
import { caddyfile, frontTemplate, makeBucket, s3Template } from './state/outside.ts';
import { manageDatabase, postgresFiles, postgresTemplate, RELOAD_POSTGRES } from './state/postgres.ts';

export const HOST = 'karaar.localhost';
const folder = join(stateRoot, 'deployment', 'installation');
const RELOAD_MS = 30_000;
const RELOAD_FRONT = ['caddy', 'reload', '--config', '/config/Caddyfile', '--force'];
/** The broker admin makes the streams without which no service gets ready; the others ask auth who signs tokens. */
const WAITED_FOR = ['broker-admin', 'auth'];

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

/** The store's entries by the operator's own command. */
async function makeStore(): Promise<Store> {
  const to = join(folder, 'secrets');
  const command = ['make-secrets', '--host', HOST, '--to', to, '--sandbox'];
  await run(process.execPath, [join(cloneRoot, 'infra', 'ops', 'src', 'cli.ts'), ...command]);
  const entries = readdirSync(to).map((file) => parse(file));
  return Object.fromEntries(
    entries
      .filter(({ ext }) => ext === '.json')
      .map(({ name, base }) => [name, JSON.parse(readFileSync(join(to, base), 'utf8')) as Values]),
  );
}

/** @param images of what is not ours */
export async function createInstallation(images: Servers, say: (line: string) => void) {
  const env = podmanEnv();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const podman = podmanBy(env, folder, join(stateRoot, 'logs', 'deployment.log'));
  await podman.clean();
  const addresses = createAddresses();
  const imageOf = (image: string): string | undefined => {
    if (image.startsWith('karaar/')) return `localhost/${image}`;
    if (image.startsWith('nats:')) return images.nats;
    return image.startsWith('valkey/') ? images.valkey : undefined;
  };
  const cluster = createCluster({ podman, addresses, folder, log: say, imageOf });
  const authority = await certify(folder, 'Deployment test');
  const certificateFor = (host: string): Promise<KeyPair> => certify(folder, host, authority);
  const operator = { address: GATEWAY_OF_NETWORK, password: randomBytes(18).toString('hex') };
  const databaseAddress = addresses.forNamed('postgres-1');
  const outside = new Map<string, RunningPod>();
  let release: Release | undefined;
  let store: Store = {};
  let front: KeyPair | undefined;

  const secrets = (): Map<string, Values> =>
    new Map([
      ...secretsOf(release?.objects ?? [], store),
      ['postgres-ca', { 'ca.crt': authority.certificate }] as const,
      ...(front ? [['karaar-tls', { 'tls.crt': front.certificate }] as const] : []),
    ]);

  /** Starts a pod beside the manifests, with a folder of files where it reads some. */
  async function startOutside(
    name: string,
    template: PodSpec,
    files: Values,
    claims: string[] = [],
  ): Promise<RunningPod> {
    const own: Sources = { ...cluster.sources, image: (image) => image, configMap: () => files };
    const played = podOf(template, name, cluster.hosts, own, { claims });
    const pod = await startPod(played, template, addresses.forNamed(name), podman, say);
    outside.set(name, pod);
    await pod.started;
    return pod;
  }

  /** Takes a release as the one that is wanted: its objects, and what PostgreSQL's operator does. */
  async function want(wanted: Release): Promise<void> {
    release = wanted;
    await cluster.want(wanted.objects, secrets());
  }
  const manage = ({ objects }: Release): Promise<void> => {
    const { password } = operator;
    const connection = { host: databaseAddress, password, authority: authority.certificate };
    return manageDatabase(objects, (name) => secrets().get(name), connection);
  };

  /** Writes a pod's certificate and key over those that it mounts, and runs what makes it read them. */
  async function renewFiles(name: string, pair: KeyPair, reload: readonly string[]): Promise<void> {
    const mounted = join(folder, 'files', name, 'config');
    writeFileSync(join(mounted, 'tls.crt'), pair.certificate);
    writeFileSync(join(mounted, 'tls.key'), pair.key);
    const container = outside.get(name)?.template.containers[0]?.name ?? '';
    await podman.exec(name, container, reload, RELOAD_MS);
  }

  /** How callers connect: to the front by its address, believing the test's authority. */
  const connecting = () => {
    const address = addresses.forNamed('front');
    const lookup: LookupFunction = (name, options, done) => {
      const found = name === HOST ? address : name;
      if (options.all === true) done(null, [{ address: found, family: 4 }]);
      else done(null, found, 4);
    };
    return { ca: authority.certificate, lookup };
  };

  return {
    url: `https://${HOST}`,
    ...{ say, env, podman, addresses, cluster, connecting, authority, databaseAddress },
    /** Values of a secret as the release's objects make it now. @throws Error when they make none */
    secretOf(name: string): Values {
      const found = secrets().get(name);
      if (!found) throw new Error(`There is no secret ${name}`);
      return found;
    },
    /** Gives each property of the store's entry another value; pods get it when a release is applied. */
    changeEntry(entry: string, value: () => string): void {
      const properties = Object.keys(store[entry] ?? {});
      if (properties.length === 0) throw new Error(`The store has no entry ${entry}`);
      store = { ...store, [entry]: Object.fromEntries(properties.map((name) => [name, value()])) };
    },
    /** Puts new certificates where the front and PostgreSQL read them, and has both read them again. */
    async renewCertificates(): Promise<void> {
      front = await certificateFor(HOST);
      await renewFiles('front', front, RELOAD_FRONT);
      await renewFiles('postgres-1', await certificateFor('postgres-rw'), RELOAD_POSTGRES);
    },
    /** Servers that the manifests only name, and those of the manifests that hold state. */
    async startState(wanted: Release): Promise<void> {
      if (Object.keys(store).length === 0) store = await makeStore();
      cluster.hosts['postgres-rw'] = databaseAddress;
      cluster.hosts['s3'] = addresses.forNamed('s3');
      front = await certificateFor(HOST);
      await want(wanted);
      const template = postgresTemplate(wanted.objects, images.postgres, operator);
      const files = postgresFiles(wanted.objects, await certificateFor('postgres-rw'), operator);
      await startOutside('postgres-1', template, files, ['data']);
      await manage(wanted);
      await cluster.rollSets(['nats', 'valkey']);
    },
    /** What `kubectl apply` of a release makes the cluster do: Jobs, then pods replaced. @returns the Jobs' names */
    async apply(wanted: Release, width: number): Promise<string[]> {
      await want(wanted);
      await manage(wanted);
      const jobs = await cluster.runJobs();
      await cluster.rollSets(['nats', 'valkey', 'witness']);
      await cluster.rollDeployments(width, WAITED_FOR);
      return jobs;
    },
    /** The S3 server, with its bucket. */
    async startFiles(): Promise<void> {
      const s3 = await startOutside('s3', s3Template, {});
      await makeBucket(s3.ip);
    },
    async startFront(): Promise<void> {
      front ??= await certificateFor(HOST);
      const tls = { 'tls.crt': front.certificate, 'tls.key': front.key };
      await startOutside('front', frontTemplate, { Caddyfile: caddyfile(HOST), ...tls });
      setGlobalDispatcher(new Agent({ connect: connecting() }));
    },
    /** Pods, their volumes and the servers beside them; what is left is the store of secrets, which is elsewhere. */
    async deleteEverything(): Promise<void> {
      await cluster.stopAll();
      await Promise.all([...outside.values()].map((pod) => pod.stop()));
      outside.clear();
      rmSync(join(folder, 'volumes'), { recursive: true, force: true });
    },
    async close(): Promise<void> {
      for (const pod of outside.values()) pod.abandon();
      await cluster.close();
      await podman.clean();
      await addresses.close();
    },
  };
}
