/** Runs the objects of an overlay as pods, and does the work of a cluster's controllers. */
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ofKind,
  selects,
  workloads,
  type KubeObject,
  type PodSpec,
  type ScalerSpec,
  type ServiceSpec,
  type Values,
  type Workload,
} from '@karaar/k8s/objects';
import { podOf, type Sources } from '../objects/pod.ts';
import { forward, type Endpoint, type Forwarder } from './forwarder.ts';
import type { Addresses, Podman } from './podman.ts';
import { portOf, startPod, type RunningPod } from './running-pod.ts';

type SetSpec = { serviceName: string; volumeClaimTemplates?: { metadata: { name: string } }[] };
type Playing = { workload: Workload; pods: RunningPod[]; hash: string };

type ClusterOptions = {
  podman: Podman;
  addresses: Addresses;
  folder: string;
  /** Returns podman's name of an image, or undefined if podman does not have it. */
  imageOf: (image: string) => string | undefined;
  log: (line: string) => void;
};

/** Returns the number of copies of a Deployment or StatefulSet: its own, or the minimum of its autoscaler. */
export function copiesOf({ kind, metadata, spec }: KubeObject, objects: readonly KubeObject[]): number {
  const scaler = ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler').find(
    ({ spec: { scaleTargetRef: target } }) => target.kind === kind && target.name === metadata.name,
  );
  return (spec as { replicas?: number }).replicas ?? scaler?.spec.minReplicas ?? 1;
}

export function createCluster({ podman, addresses, folder, imageOf, log }: ClusterOptions) {
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

  /** Returns everything that a pod of this template depends on: its pods are replaced when it changes. */
  function hashOf(template: PodSpec): string {
    const named = JSON.stringify(template);
    const values = [...secrets].filter(([name]) => named.includes(`"${name}"`));
    const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => named.includes(`"${metadata.name}"`));
    return JSON.stringify([template, values, maps.map(({ data }) => data)]);
  }

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
    const [pods, hash] = [before?.pods ?? [], hashOf(workload.pod)];
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
    hosts,
    sources,
    /** Sets the wanted objects and secrets; no pod changes yet. */
    async want(wanted: readonly KubeObject[], values: ReadonlyMap<string, Values>): Promise<void> {
      objects = wanted;
      secrets = values;
      await openServices();
    },
    async rollSets(names: readonly string[]): Promise<void> {
      for (const workload of lasting('StatefulSet'))
        if (names.includes(workload.name)) await rollSet(workload);
    },
    /** Stops the pods of a set, as if their nodes were lost; `rollSets` starts them again. */
    async stopSet(name: string): Promise<void> {
      await Promise.all(
        podsOf('StatefulSet', name)
          .splice(0)
          .map((pod) => pod.stop()),
      );
    },
    /**
     * Rolls out every Deployment, `width` at a time. A cluster starts all at once; here those that others wait for come
     * first, so that no started pod waits for one that has not started.
     */
    async rollDeployments(width: number, first: readonly string[]): Promise<void> {
      const rank = ({ name }: Workload): number =>
        first.includes(name) ? first.indexOf(name) : first.length;
      const waiting = lasting('Deployment').toSorted((a, b) => rank(a) - rank(b));
      const worker = async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await rollDeployment(next);
      };
      await Promise.all(Array.from({ length: width }, worker));
    },
    /** Runs the Jobs that have not run yet; the name of a Job contains the release. @returns their names */
    async runJobs(): Promise<string[]> {
      const jobs = workloads(objects).filter(({ kind, name }) => kind === 'Job' && !finished.has(name));
      for (const { name, pod } of jobs) {
        const played = podOf(pod, name, hosts, sources, { restart: 'Never' });
        await podman.playToEnd(played.main, addresses.forPod());
        finished.add(name);
      }
      return jobs.map(({ name }) => name);
    },
    pods: (kind: 'Deployment' | 'StatefulSet', name: string): readonly RunningPod[] => podsOf(kind, name),
    workload(kind: string, name: string): Workload {
      const found = workloads(objects).find((one) => one.kind === kind && one.name === name);
      if (!found) throw new Error(`The ${kind} ${name} was not found`);
      return found;
    },
    async stopAll(): Promise<void> {
      const pods = [...playing.values()].flatMap((one) => one.pods);
      playing.clear();
      finished.clear();
      await Promise.all(pods.map((pod) => pod.stop()));
    },
    /** Stops the probes and the forwarders; the caller removes the containers. */
    async close(): Promise<void> {
      for (const { pods } of playing.values()) for (const pod of pods) pod.abandon();
      playing.clear();
      await Promise.all(forwarders.splice(0).map((forwarder) => forwarder.close()));
    },
  };
}

function endpointOf({ ip, template }: RunningPod, port: string | number): Endpoint[] {
  if (typeof port === 'number') return [{ ip, port }];
  const container = template.containers.find(({ ports }) => ports?.some(({ name }) => name === port));
  return container ? [{ ip, port: portOf(container, port) }] : [];
}
