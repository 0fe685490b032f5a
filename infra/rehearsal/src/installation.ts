/** One installation: what is beside the manifests, the cluster of pods, and how callers reach it. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { run } from '@karaar/testing/machine/run';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { Agent, setGlobalDispatcher } from 'undici';
import { parseAllDocuments } from 'yaml';
import { createAddresses } from './cluster/addresses.ts';
import { createCluster, type Cluster } from './cluster/cluster.ts';
import { podmanBy, podmanEnv } from './cluster/podman.ts';
import { startPod, type RunningPod } from './cluster/running-pod.ts';
import type { Servers } from './images/build.ts';
import { podOf, type Sources, type TemplateSpec } from './objects/pod.ts';
import { secretsOf, storeOf, type Store } from './objects/secrets.ts';
import type { Release } from './releases.ts';
import { certify, makeAuthority, type KeyPair } from './state/certificates.ts';
import { BUCKET, frontTemplate, makeBucket, s3Template } from './state/outside.ts';
import { manageDatabase, postgresPod, wantedDatabase } from './state/postgres.ts';

export const HOST = 'karaar.localhost';
const GATEWAY_OF_NETWORK = '10.213.0.1';
const folder = join(stateRoot, 'rehearsal', 'installation');
const RELOAD_MS = 30_000;
/** The keeper makes the streams without which no service gets ready; the others ask auth who signs tokens. */
const WAITED_FOR = ['keeper', 'auth'];
/** As its operator does: new files, then a signal to the first process. */
const RELOAD_POSTGRES = [
  'sh',
  '-c',
  'install -o postgres -m 600 /config/tls.key /config/tls.crt /run/tls/ && kill -HUP 1',
];

export type Installation = Awaited<ReturnType<typeof createInstallation>>;

/** The store's entries by the operator's own command, as it writes them for a store in the cluster. */
async function makeStore(): Promise<Store> {
  const to = join(folder, 'secrets');
  const command = ['make-secrets', '--host', HOST, '--to', to, '--sandbox'];
  await run(process.execPath, [join(cloneRoot, 'infra', 'ops', 'src', 'cli.ts'), ...command]);
  return storeOf(
    parseAllDocuments(readFileSync(join(to, 'kubernetes.yaml'), 'utf8')).map((one) => one.toJS()),
  );
}

/** @param images of what is not ours */
export async function createInstallation(images: Servers, say: (line: string) => void) {
  const env = podmanEnv();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const podman = podmanBy(env, folder, join(stateRoot, 'logs', 'rehearsal.log'));
  await podman.clean();
  const addresses = createAddresses();
  const cluster: Cluster = createCluster({
    podman,
    addresses,
    folder,
    log: say,
    imageOf: (image) => {
      if (image.startsWith('karaar/')) return `localhost/${image}`;
      if (image.startsWith('nats:')) return images.nats;
      if (image.startsWith('valkey/')) return images.valkey;
      return undefined;
    },
  });
  const authority = await makeAuthority(folder, 'Rehearsal');
  const operatorPassword = randomBytes(18).toString('hex');
  const outside = new Map<string, RunningPod>();
  let release: Release | undefined;
  let store: Store = new Map();
  let front: KeyPair | undefined;

  const secrets = (wanted: Release) =>
    new Map([
      ...secretsOf(wanted.objects, store),
      ['postgres-ca', { 'ca.crt': authority.certificate }] as const,
      ...(front ? [['karaar-tls', { 'tls.crt': front.certificate }] as const] : []),
    ]);

  /** Starts a pod beside the manifests, with a folder of files where it reads some. */
  async function startOutside(
    name: string,
    template: TemplateSpec,
    files: Record<string, string>,
    claims: readonly string[] = [],
  ): Promise<RunningPod> {
    const own: Sources = { ...cluster.sources, image: (image) => image, configMap: () => files };
    const played = podOf(template, name, cluster.hosts, own, { claims });
    const pod = await startPod(played, template, addresses.forNamed(name), podman, say);
    outside.set(name, pod);
    await pod.started;
    return pod;
  }

  async function startPostgres(wanted: Release): Promise<void> {
    const database = wantedDatabase(wanted.objects);
    const tls = await certify(folder, authority, 'postgres-rw');
    const operator = { address: GATEWAY_OF_NETWORK, password: operatorPassword };
    const { template, files } = postgresPod(database, images.postgres, tls, operator);
    cluster.name('postgres-rw', addresses.forNamed('postgres-1'));
    await startOutside('postgres-1', template, files, ['data']);
  }

  async function manage(wanted: Release): Promise<void> {
    await manageDatabase(wantedDatabase(wanted.objects), (name) => secrets(wanted).get(name), {
      host: addresses.forNamed('postgres-1'),
      password: operatorPassword,
      authority: authority.certificate,
    });
  }

  async function startFront(): Promise<void> {
    const { template, caddyfile } = frontTemplate(HOST, `gateway:8080`);
    front ??= await certify(folder, authority, HOST);
    const files = { Caddyfile: caddyfile, 'tls.crt': front.certificate, 'tls.key': front.key };
    await startOutside('front', template, files);
  }

  /** Writes a pod's certificate and key over those that it mounts, and runs what makes it read them. */
  async function renewFiles(name: string, pair: KeyPair, reload: readonly string[]): Promise<void> {
    const mounted = join(folder, 'files', name, 'config');
    writeFileSync(join(mounted, 'tls.crt'), pair.certificate);
    writeFileSync(join(mounted, 'tls.key'), pair.key);
    const container = outside.get(name)?.template.containers[0]?.name ?? '';
    await podman.exec(name, container, reload, RELOAD_MS);
  }

  /** How callers connect: to the front by its address, believing the rehearsal's authority. */
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
    connecting,
    cluster,
    env,
    podman,
    addresses,
    outside,
    authority,
    databaseAddress: addresses.forNamed('postgres-1'),
    /** Values of a secret as the release's objects make it now. @throws Error when they make none */
    secretOf(name: string): Readonly<Record<string, string>> {
      const found = release && secrets(release).get(name);
      if (!found) throw new Error(`There is no secret ${name}`);
      return found;
    },
    /** Gives each property of the store's entry another value; pods get it when a release is applied. */
    changeEntry(entry: string, value: () => string): void {
      const properties = Object.keys(store.get(entry) ?? {});
      if (properties.length === 0) throw new Error(`The store has no entry ${entry}`);
      store = new Map(store).set(entry, Object.fromEntries(properties.map((name) => [name, value()])));
    },
    /** Puts new certificates where the front and PostgreSQL read them, and has both read them again. */
    async renewCertificates(): Promise<void> {
      front = await certify(folder, authority, HOST);
      await renewFiles('front', front, ['caddy', 'reload', '--config', '/config/Caddyfile', '--force']);
      await renewFiles('postgres-1', await certify(folder, authority, 'postgres-rw'), RELOAD_POSTGRES);
    },
    /** Servers that the manifests only name, and those of the manifests that hold state. */
    async startState(wanted: Release): Promise<void> {
      release = wanted;
      if (store.size === 0) store = await makeStore();
      const database = addresses.forNamed('postgres-1');
      cluster.name('postgres-rw', database);
      cluster.name('s3', addresses.forNamed('s3'));
      front = await certify(folder, authority, HOST);
      await cluster.want(wanted.objects, secrets(wanted));
      await startPostgres(wanted);
      await manage(wanted);
      await cluster.rollSets(['nats', 'valkey']);
    },
    /** What `kubectl apply` of a release makes the cluster do: Jobs, then pods replaced. */
    async apply(wanted: Release, width: number): Promise<Map<string, string>> {
      release = wanted;
      await cluster.want(wanted.objects, secrets(wanted));
      await manage(wanted);
      const written = await cluster.runJobs();
      await cluster.rollSets(['nats', 'valkey', 'witness']);
      await cluster.rollDeployments(width, WAITED_FOR);
      return written;
    },
    /** The S3 server, with its bucket. */
    async startFiles(): Promise<void> {
      const s3 = await startOutside('s3', s3Template, {});
      await makeBucket(s3.ip);
    },
    async startFront(): Promise<void> {
      await startFront();
      setGlobalDispatcher(new Agent({ connect: connecting() }));
    },
    release: (): Release => {
      if (!release) throw new Error('Nothing is installed yet');
      return release;
    },
    bucket: BUCKET,
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
