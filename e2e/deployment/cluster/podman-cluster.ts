/** Runs the objects of an overlay as pods of podman, and does the work of a cluster's controllers. */
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '@karaar/testing/machine/run';
import { stateRoot } from '@karaar/testing/roots';
import {
  ofKind,
  selects,
  workloads,
  type KubeObject,
  type ScalerSpec,
  type ServiceSpec,
  type Values,
  type Workload,
} from '@karaar/k8s/objects';
import { podOf, type Sources } from '../objects/pod.ts';
import { dependenciesOf, runWithInput, workloadOf, type Cluster, type ClusterOptions } from './cluster.ts';
import { forward, type Endpoint, type Forwarder } from './forwarder.ts';
import { createAddresses, GATEWAY_OF_NETWORK, podmanBy } from './podman.ts';
import { portOf, startPod, type RunningPod } from './running-pod.ts';

type SetSpec = { serviceName: string; volumeClaimTemplates?: { metadata: { name: string } }[] };
type Playing = { workload: Workload; pods: RunningPod[]; hash: string };

/** Returns the number of copies of a Deployment or StatefulSet: its own, or the minimum of its autoscaler. */
export function copiesOf({ kind, metadata, spec }: KubeObject, objects: readonly KubeObject[]): number {
  const scaler = ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler').find(
    ({ spec: { scaleTargetRef: target } }) => target.kind === kind && target.name === metadata.name,
  );
  return (spec as { replicas?: number }).replicas ?? scaler?.spec.minReplicas ?? 1;
}

const RELOAD_MS = 30_000;

export async function createPodmanCluster(options: ClusterOptions): Promise<Cluster> {
  const { env, folder, imageOf, log } = options;
  const podman = podmanBy(env, folder, join(stateRoot, 'logs', 'deployment.log'));
  await podman.clean();
  const addresses = createAddresses();
  const servers = new Map<string, RunningPod>();
  let objects: readonly KubeObject[] = [];
  let secrets: ReadonlyMap<string, Values> = new Map();
  /** Addresses by the host names of pods, including those outside the manifests, such as the database. */
  const hosts: Record<string, string> = {};
  const playing = new Map<string, Playing>();
  const forwarders: Forwarder[] = [];
  const finished = new Set<string>();
  let lives = 0;

  const sources: Sources = {
    configMap: (name) => ofKind(objects, 'ConfigMap').find(({ metadata }) => metadata.name === name)?.data,
    secret: (name) => secrets.get(name),
    image: (name) => imageOf(name) ?? name,
    files: (pod, volume, files) => {
      const place = join(folder, 'files', pod, volume);
      rmSync(place, { recursive: true, force: true });
      mkdirSync(place, { recursive: true, mode: 0o755 });
      for (const [name, text] of Object.entries(files))
        writeFileSync(join(place, name), text, { mode: 0o644 });
      return place;
    },
    writable: (owner, volume, group) => {
      const place = join(folder, 'volumes', owner, volume);
      mkdirSync(place, { recursive: true });
      chownSync(place, 0, group);
      chmodSync(place, 0o2777);
      return place;
    },
  };

  const lasting = (kind: 'Deployment' | 'StatefulSet') =>
    workloads(objects).filter((workload) => workload.kind === kind);
  const podsOf = (kind: string, name: string): RunningPod[] => playing.get(`${kind}/${name}`)?.pods ?? [];

  async function openServices(): Promise<void> {
    type Spec = ServiceSpec & { publishNotReadyAddresses?: boolean };
    for (const { metadata, spec } of ofKind<Spec>(objects, 'Service')) {
      if (metadata.name in hosts) continue;
      const { selector = {}, ports = [], publishNotReadyAddresses = false } = spec;
      const ip = await addresses.forService();
      hosts[metadata.name] = ip;
      for (const { port, targetPort = port } of ports) {
        const endpoints = (): Endpoint[] =>
          [...playing.values()]
            .filter(({ workload }) => selects({ matchLabels: selector }, workload.labels))
            .flatMap(({ pods }) => pods)
            .filter((pod) => (publishNotReadyAddresses ? pod.isUp() : pod.isReady()))
            .flatMap((pod) => endpointOf(pod, targetPort));
        forwarders.push(await forward({ ip, port }, endpoints));
      }
    }
    for (const { object, name } of lasting('StatefulSet')) {
      const { serviceName } = object.spec as SetSpec;
      for (let i = 0; i < copiesOf(object, objects); i += 1)
        hosts[`${name}-${i}.${serviceName}`] = addresses.forNamed(`${name}-${i}`);
    }
  }

  /** @returns the pods of a workload, the outdated ones among them, and the wanted number */
  function plan(workload: Workload): { pods: RunningPod[]; old: RunningPod[]; wanted: number } {
    const key = `${workload.kind}/${workload.name}`;
    const before = playing.get(key);
    const [pods, hash] = [before?.pods ?? [], dependenciesOf(workload.pod, objects, secrets)];
    playing.set(key, { workload, pods, hash });
    const old = hash === before?.hash ? [] : [...pods];
    return { pods, old, wanted: copiesOf(workload.object, objects) };
  }

  async function add(
    { pod: template, object }: Workload,
    pods: RunningPod[],
    name: string,
    ip: string,
  ): Promise<RunningPod> {
    const { volumeClaimTemplates = [] } = object.spec as SetSpec;
    const left = template.containers.filter(({ image }) => !imageOf(image)).map((one) => one.name);
    const claims = volumeClaimTemplates.map(({ metadata }) => metadata.name);
    const played = podOf(template, name, hosts, sources, { claims, left });
    const pod = await startPod(played, template, ip, podman, log, left);
    pods.push(pod);
    return pod;
  }

  async function drop(pod: RunningPod, pods: RunningPod[]): Promise<void> {
    await pod.stop();
    pods.splice(pods.indexOf(pod), 1);
    log(`${pod.name} has ended`);
  }

  /** Adds one pod before it removes an old one, as the manifests' strategy does. */
  async function rollDeployment(workload: Workload): Promise<void> {
    const { pods, old, wanted } = plan(workload);
    while (pods.length - old.length < wanted) {
      lives += 1;
      const pod = await add(workload, pods, `${workload.name}-${lives}`, addresses.forPod());
      await pod.started;
      log(`${pod.name} is ready`);
      const first = old.shift();
      if (first) await drop(first, pods);
    }
    const spare = Math.max(0, pods.length - old.length - wanted);
    const current = pods.filter((pod) => !old.includes(pod));
    for (const pod of [...old, ...current.slice(0, spare)]) await drop(pod, pods);
  }

  /** Replaces the pods of a StatefulSet one at a time, from the last to the first. */
  async function rollSet(workload: Workload): Promise<void> {
    const { pods, old, wanted } = plan(workload);
    const begin = (name: string) => add(workload, pods, name, addresses.forNamed(name));
    for (const pod of old.reverse()) {
      await drop(pod, pods);
      await (
        await begin(pod.name)
      ).started;
    }
    const begun: RunningPod[] = [];
    for (let i = pods.length; i < wanted; i += 1) begun.push(await begin(`${workload.name}-${i}`));
    await Promise.all(begun.map(({ started }) => started));
  }

  return {
    callerAddress: GATEWAY_OF_NETWORK,
    addressOf: addresses.forNamed,
    async want(wanted, values) {
      objects = wanted;
      secrets = values;
      await openServices();
    },
    async rollSets(names) {
      for (const workload of lasting('StatefulSet'))
        if (names.includes(workload.name)) await rollSet(workload);
    },
    async stopSet(name) {
      await Promise.all(
        podsOf('StatefulSet', name)
          .splice(0)
          .map((pod) => pod.stop()),
      );
    },
    rollDeployment,
    async runJobs() {
      const jobs = workloads(objects).filter(({ kind, name }) => kind === 'Job' && !finished.has(name));
      for (const { name, pod } of jobs) {
        const played = podOf(pod, name, hosts, sources, { restart: 'Never' });
        await podman.playToEnd(played.main, addresses.forPod());
        finished.add(name);
      }
      return jobs.map(({ name }) => name);
    },
    pods: async (kind, name) =>
      podsOf(kind, name).map((pod) => ({
        name: pod.name,
        isReady: pod.isReady(),
        restarts: pod.restarts(),
      })),
    async startServer({ name, host, template, files, claims = [] }) {
      const ip = addresses.forNamed(name);
      if (host !== undefined) hosts[host] = ip;
      const own: Sources = { ...sources, image: (image) => image, configMap: () => files };
      const pod = await startPod(podOf(template, name, hosts, own, { claims }), template, ip, podman, log);
      servers.set(name, pod);
      await pod.started;
    },
    async renewFiles(name, files, reload) {
      for (const [file, text] of Object.entries(files))
        writeFileSync(join(folder, 'files', name, 'config', file), text);
      const container = `${name}-${servers.get(name)?.template.containers[0]?.name}`;
      await run('podman', ['exec', container, ...reload], { env, timeoutMs: RELOAD_MS });
    },
    async startOperator() {
      const name = 'ops';
      const { pod: template } = workloadOf(objects, 'CronJob', name);
      const played = podOf(template, name, hosts, sources, { restart: 'Never' });
      const pod = await startPod(played, template, addresses.forPod(), podman, log);
      const container = `${name}-${template.containers[0]?.name ?? ''}`;
      return {
        exec: (command, input) => runWithInput(['podman', 'exec', '-i', container, ...command], input, env),
        async copy(inPod, here, direction) {
          const there = `${container}:${inPod}`;
          await run('podman', ['cp', ...(direction === 'out' ? [there, here] : [here, there])], { env });
        },
        stop: () => pod.stop(),
      };
    },
    async deleteEverything() {
      const pods = [...[...playing.values()].flatMap((one) => one.pods), ...servers.values()];
      for (const kept of [playing, finished, servers]) kept.clear();
      await Promise.all(pods.map((pod) => pod.stop()));
      rmSync(join(folder, 'volumes'), { recursive: true, force: true });
    },
    async close() {
      for (const pod of servers.values()) pod.abandon();
      for (const { pods } of playing.values()) for (const pod of pods) pod.abandon();
      playing.clear();
      await Promise.all(forwarders.splice(0).map((forwarder) => forwarder.close()));
      await podman.clean();
      await addresses.close();
    },
  };
}

function endpointOf({ ip, template }: RunningPod, port: string | number): Endpoint[] {
  if (typeof port === 'number') return [{ ip, port }];
  const container = template.containers.find(({ ports }) => ports?.some(({ name }) => name === port));
  return container ? [{ ip, port: portOf(container, port) }] : [];
}
