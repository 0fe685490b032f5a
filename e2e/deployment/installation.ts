/** One installation: the servers outside the manifests, the cluster of pods, and the connections of callers. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { join, parse } from 'node:path';
import { cloneRoot, stateRoot } from '@karaar/testing/roots';
import { run } from '@karaar/testing/machine/run';
import { createAuthority } from '@karaar/testing/people/authority';
import type { PodSpec, Values } from '@karaar/k8s/objects';
import { Agent, setGlobalDispatcher } from 'undici';
import { createCluster } from './cluster/cluster.ts';
import { createAddresses, GATEWAY_OF_NETWORK, podmanBy, podmanEnv } from './cluster/podman.ts';
import { startPod, type RunningPod } from './cluster/running-pod.ts';
import type { Release, Servers } from './images.ts';
import { podOf, type Sources } from './objects/pod.ts';
import { secretsOf, type Store } from './objects/secrets.ts';
import { caddyfile, frontTemplate, makeBucket, s3Template } from './state/outside.ts';
import { manageDatabase, postgresFiles, postgresTemplate, RELOAD_POSTGRES } from './state/postgres.ts';

export const HOST = 'karaar.localhost';
const folder = join(stateRoot, 'deployment', 'installation');
const RELOAD_MS = 30_000;
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
  const podman = podmanBy(env, folder, join(stateRoot, 'logs', 'deployment.log'));
  await podman.clean();
  const addresses = createAddresses();
  const imageOf = (image: string): string | undefined => {
    if (image.startsWith('karaar/')) return `localhost/${image}`;
    if (image.startsWith('nats:')) return images.nats;
    return image.startsWith('valkey/') ? images.valkey : undefined;
  };
  const cluster = createCluster({ podman, addresses, folder, log: say, imageOf });
  const issuer = await createAuthority(join(folder, 'authority'));
  const authority = readFileSync(issuer.certificateFile, 'utf8');
  const certificateFor = async (host: string): Promise<Values> => {
    const { key, cert } = await issuer.issue([`DNS:${host}`]);
    return { 'tls.key': key.toString(), 'tls.crt': cert.toString() };
  };
  const operator = { address: GATEWAY_OF_NETWORK, password: randomBytes(18).toString('hex') };
  const databaseAddress = addresses.forNamed('postgres-1');
  const outside = new Map<string, RunningPod>();
  let release: Release | undefined;
  let store: Store = {};
  let front: Values | undefined;

  const secrets = (): Map<string, Values> =>
    new Map([
      ...secretsOf(release?.objects ?? [], store),
      ['postgres-ca', { 'ca.crt': authority }] as const,
      ...(front ? [['karaar-tls', { 'tls.crt': front['tls.crt'] ?? '' }] as const] : []),
    ]);

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

  /** Replaces the certificate files of a pod and runs the command that reloads them. */
  async function renewFiles(name: string, files: Values, reload: readonly string[]): Promise<void> {
    for (const [file, text] of Object.entries(files))
      writeFileSync(join(folder, 'files', name, 'config', file), text);
    const container = outside.get(name)?.template.containers[0]?.name ?? '';
    await podman.exec(name, container, reload, RELOAD_MS);
  }

  /** How callers connect: to the address of the front, trusting the authority of the test. */
  const connecting = () => {
    const address = addresses.forNamed('front');
    const lookup: LookupFunction = (name, options, done) => {
      const found = name === HOST ? address : name;
      if (options.all === true) done(null, [{ address: found, family: 4 }]);
      else done(null, found, 4);
    };
    return { ca: authority, lookup };
  };

  return {
    url: `https://${HOST}`,
    ...{ say, env, podman, addresses, cluster, connecting, authority, databaseAddress },
    /** Returns the values of a secret. @throws Error if the objects do not define it */
    secretOf(name: string): Values {
      const found = secrets().get(name);
      if (!found) throw new Error(`The secret ${name} was not found`);
      return found;
    },
    /** Changes all properties of an entry of the store; pods receive them when a release is applied. */
    changeEntry(entry: string, value: () => string): void {
      const properties = Object.keys(store[entry] ?? {});
      if (properties.length === 0) throw new Error(`The store has no entry ${entry}`);
      store = { ...store, [entry]: Object.fromEntries(properties.map((name) => [name, value()])) };
    },
    /** Replaces the certificates of the front and of PostgreSQL while they run. */
    async renewCertificates(): Promise<void> {
      front = await certificateFor(HOST);
      await renewFiles('front', front, RELOAD_FRONT);
      await renewFiles('postgres-1', await certificateFor('postgres-rw'), RELOAD_POSTGRES);
    },
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
    /** Does what a cluster does after `kubectl apply`: runs Jobs, then replaces pods. @returns the Jobs' names */
    async apply(wanted: Release, width: number): Promise<string[]> {
      await want(wanted);
      await manage(wanted);
      const jobs = await cluster.runJobs();
      await cluster.rollSets(['nats', 'valkey', 'witness']);
      await cluster.rollDeployments(width, WAITED_FOR);
      return jobs;
    },
    async startFiles(): Promise<void> {
      const s3 = await startOutside('s3', s3Template, {});
      await makeBucket(s3.ip);
    },
    async startFront(): Promise<void> {
      front ??= await certificateFor(HOST);
      await startOutside('front', frontTemplate, { Caddyfile: caddyfile(HOST), ...front });
      setGlobalDispatcher(new Agent({ connect: connecting() }));
    },
    /** Deletes all pods, volumes and servers; only the store of secrets remains. */
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
