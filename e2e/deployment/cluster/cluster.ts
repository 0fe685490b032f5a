/** The objects of an overlay as running pods: what a cluster's controllers do, as far as the deployment test needs them. */
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ofKind,
  selects,
  workloads,
  type KubeObject,
  type PodSpec,
  type Values,
  type Workload,
} from '@karaar/k8s/objects';
import { podOf, type Sources } from '../objects/pod.ts';
import type { Addresses } from './addresses.ts';
import { forward, type Endpoint, type Forwarder } from './forwarder.ts';
import type { Podman } from './podman.ts';
import { portOf, startPod, type RunningPod } from './running-pod.ts';

type ServiceSpec = {
  publishNotReadyAddresses?: boolean;
  selector: Record<string, string>;
  ports: { port: number; targetPort?: string | number }[];
};
type SetSpec = { serviceName: string; volumeClaimTemplates?: { metadata: { name: string } }[] };
type ScalerSpec = { scaleTargetRef: { kind: string; name: string }; minReplicas?: number };
type Playing = { workload: Workload; pods: RunningPod[]; hash: string };

export type ClusterOptions = {
  podman: Podman;
  addresses: Addresses;
  /** For files that pods read. */
  folder: string;
  /** The image by which podman knows a manifest's; undefined for one that is not here. */
  imageOf: (image: string) => string | undefined;
  log: (line: string) => void;
};

/** The copies that a Deployment or StatefulSet has: its own number, else the least of its autoscaler. */
export function copiesOf({ kind, metadata, spec }: KubeObject, objects: readonly KubeObject[]): number {
  const scaler = ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler').find(
    ({ spec: { scaleTargetRef: target } }) => target.kind === kind && target.name === metadata.name,
  );
  return (spec as { replicas?: number }).replicas ?? scaler?.spec.minReplicas ?? 1;
}

export function createCluster({ podman, addresses, folder, imageOf, log }: ClusterOptions) {
  let objects: readonly KubeObject[] = [];
  let secrets: ReadonlyMap<string, Values> = new Map();
  /** Addresses by the names that pods know, also those that belong to no Kubernetes object, such as the database's. */
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

  /** Everything that a pod of this template is made of: when it changes, pods are replaced. */
  function hashOf(template: PodSpec): string {
    const named = JSON.stringify(template);
    const values = [...secrets].filter(([name]) => named.includes(`"${name}"`));
    const maps = ofKind(objects, 'ConfigMap').filter(({ metadata }) => named.includes(`"${metadata.name}"`));
    return JSON.stringify([template, values, maps.map(({ data }) => data)]);
  }

  async function openServices(): Promise<void> {
    for (const { metadata, spec } of ofKind<ServiceSpec>(objects, 'Service')) {
      if (metadata.name in hosts) continue;
      const ip = await addresses.forService();
      hosts[metadata.name] = ip;
      for (const { port, targetPort = port } of spec.ports) {
        const endpoints = (): Endpoint[] =>
          [...playing.values()]
            .filter(({ workload }) => selects({ matchLabels: spec.selector }, workload.labels))
            .flatMap(({ pods }) => pods)
            .filter((pod) => (spec.publishNotReadyAddresses ? pod.isUp() : pod.isReady()))
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

  /** Takes a workload as it is wanted. @returns its pods, those of them that are made of something else, and how many it is to have */
  function plan(workload: Workload): { pods: RunningPod[]; old: RunningPod[]; wanted: number } {
    const key = `${workload.kind}/${workload.name}`;
    const before = playing.get(key);
    const [pods, hash] = [before?.pods ?? [], hashOf(workload.pod)];
    playing.set(key, { workload, pods, hash });
    return {
      pods,
      old: hash === before?.hash ? [] : [...pods],
      wanted: copiesOf(workload.object, objects),
    };
  }

  async function add(
    { pod: template, object }: Workload,
    pods: RunningPod[],
    name: string,
    ip: string,
  ): Promise<RunningPod> {
    const { volumeClaimTemplates = [] } = object.spec as SetSpec;
    const left = template.containers
      .filter(({ image }) => !imageOf(image))
      .map((container) => container.name);
    const claims = volumeClaimTemplates.map(({ metadata }) => metadata.name);
    const played = podOf(template, name, hosts, sources, { claims, left });
    const pod = await startPod(played, template, ip, podman, log, left);
    pods.push(pod);
    return pod;
  }

  async function drop(pod: RunningPod, pods: RunningPod[]): Promise<void> {
    log(`${pod.name} is told to end`);
    await pod.stop();
    pods.splice(pods.indexOf(pod), 1);
    log(`${pod.name} has ended`);
  }

  /** Surge of one and none missing, as the manifests' strategy has it. */
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

  /** A changed StatefulSet goes from its last pod to its first, one at a time. */
  async function rollSet(workload: Workload): Promise<void> {
    const { pods, old, wanted } = plan(workload);
    const begin = (name: string) => add(workload, pods, name, addresses.forNamed(name));
    for (const pod of old.reverse()) {
      await drop(pod, pods);
      const next = await begin(pod.name);
      await next.started;
    }
    const begun: RunningPod[] = [];
    for (let i = pods.length; i < wanted; i += 1) begun.push(await begin(`${workload.name}-${i}`));
    await Promise.all(begun.map(({ started }) => started));
  }

  return {
    hosts,
    sources,
    /** Takes an overlay's objects and secrets as what is wanted; nothing is played yet. */
    async want(wanted: readonly KubeObject[], values: ReadonlyMap<string, Values>): Promise<void> {
      objects = wanted;
      secrets = values;
      await openServices();
    },
    async rollSets(names: readonly string[]): Promise<void> {
      for (const workload of lasting('StatefulSet'))
        if (names.includes(workload.name)) await rollSet(workload);
    },
    /** Stops a set's pods, as when its nodes are gone; `rollSets` brings them back. */
    async stopSet(name: string): Promise<void> {
      const one = playing.get(`StatefulSet/${name}`);
      await Promise.all((one?.pods.splice(0) ?? []).map((pod) => pod.stop()));
    },
    /**
     * Every Deployment as it is wanted; `width` of them at a time. A real cluster starts all at once; here
     * Deployments that others wait for come first, so that none waits for a Deployment that has not started.
     *
     * @param first names of those
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
    /** Runs the Jobs that did not run yet; their names tell the release. @returns their names */
    async runJobs(): Promise<string[]> {
      const jobs = workloads(objects).filter(({ kind, name }) => kind === 'Job' && !finished.has(name));
      for (const { name, pod } of jobs) {
        const played = podOf(pod, name, hosts, sources, { restart: 'Never' });
        await podman.playToEnd(played.main, addresses.forPod());
        finished.add(name);
      }
      return jobs.map(({ name }) => name);
    },
    pods: (kind: 'Deployment' | 'StatefulSet', name: string): readonly RunningPod[] =>
      playing.get(`${kind}/${name}`)?.pods ?? [],
    workload(kind: string, name: string): Workload {
      const found = workloads(objects).find((one) => one.kind === kind && one.name === name);
      if (!found) throw new Error(`There is no ${kind} ${name}`);
      return found;
    },
    /** Stops every pod at once, and forgets which Jobs ran. */
    async stopAll(): Promise<void> {
      const pods = [...playing.values()].flatMap((one) => one.pods);
      playing.clear();
      finished.clear();
      await Promise.all(pods.map((pod) => pod.stop()));
    },
    /** Lets go of pods and addresses; whoever calls this ends the containers. */
    async close(): Promise<void> {
      for (const { pods } of playing.values()) for (const pod of pods) pod.abandon();
      playing.clear();
      await Promise.all(forwarders.splice(0).map((forwarder) => forwarder.close()));
    },
  };
}

export type Cluster = ReturnType<typeof createCluster>;

function endpointOf({ ip, template }: RunningPod, port: string | number): Endpoint[] {
  if (typeof port === 'number') return [{ ip, port }];
  const container = template.containers.find(({ ports }) => ports?.some(({ name }) => name === port));
  return container ? [{ ip, port: portOf(container, port) }] : [];
}
