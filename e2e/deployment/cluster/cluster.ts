/** The objects of an overlay as running pods: what a cluster's controllers do, as far as a rehearsal needs them. */
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ofKind, selects, workloads, type KubeObject, type Workload } from '@karaar/k8s/objects';
import { podOf, templateOf, type Sources, type TemplateSpec } from '../objects/pod.ts';
import type { Addresses } from './addresses.ts';
import { forward, type Endpoint, type Forwarder } from './forwarder.ts';
import type { Podman } from './podman.ts';
import { portOf } from './probes.ts';
import { startPod, type RunningPod } from './running-pod.ts';

type ServiceSpec = {
  clusterIP?: string;
  publishNotReadyAddresses?: boolean;
  selector: Record<string, string>;
  ports: { name?: string; port: number; targetPort?: string | number }[];
};
type Playing = { workload: Workload; template: TemplateSpec; pods: RunningPod[]; hash: string };

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
export function copiesOf(object: KubeObject, objects: readonly KubeObject[]): number {
  const { replicas } = object.spec as { replicas?: number };
  const scaler = ofKind<{ scaleTargetRef: { kind: string; name: string }; minReplicas?: number }>(
    objects,
    'HorizontalPodAutoscaler',
  ).find(
    ({ spec }) =>
      spec.scaleTargetRef.kind === object.kind && spec.scaleTargetRef.name === object.metadata.name,
  );
  return replicas ?? scaler?.spec.minReplicas ?? 1;
}

export function createCluster({ podman, addresses, folder, imageOf, log }: ClusterOptions) {
  let objects: readonly KubeObject[] = [];
  let secrets: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map();
  const hosts: Record<string, string> = {};
  const playing = new Map<string, Playing>();
  const forwarders: Forwarder[] = [];
  const finished = new Set<string>();
  let lives = 0;

  const sources: Sources = {
    configMap: (name) =>
      objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)?.data,
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

  const absent = (template: TemplateSpec): string[] =>
    template.containers.filter(({ image }) => imageOf(image) === undefined).map(({ name }) => name);
  const lasting = (kind: 'Deployment' | 'StatefulSet') =>
    workloads(objects).filter((workload) => workload.kind === kind);
  const keyOf = ({ kind, name }: Pick<Workload, 'kind' | 'name'>) => `${kind}/${name}`;

  /** Everything that a pod of this template is made of: when it changes, pods are replaced. */
  function hashOf(template: TemplateSpec): string {
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
      for (const port of spec.ports) {
        const endpoints = (): Endpoint[] =>
          [...playing.values()]
            .filter(({ workload }) => selects({ matchLabels: spec.selector }, workload.labels))
            .flatMap(({ pods }) => pods)
            .filter((pod) => (spec.publishNotReadyAddresses ? pod.isUp() : pod.isReady()))
            .flatMap((pod) => endpointOf(pod, port.targetPort ?? port.port));
        forwarders.push(await forward({ ip, port: port.port }, endpoints));
      }
    }
    for (const { object, name } of lasting('StatefulSet')) {
      const { serviceName } = object.spec as { serviceName: string };
      for (let i = 0; i < copiesOf(object, objects); i += 1)
        hosts[`${name}-${i}.${serviceName}`] = addresses.forNamed(`${name}-${i}`);
    }
  }

  async function start(workload: Workload, name: string, ip: string): Promise<RunningPod> {
    const template = templateOf(workload.object);
    const { volumeClaimTemplates = [] } = workload.object.spec as {
      volumeClaimTemplates?: { metadata: { name: string } }[];
    };
    const left = absent(template);
    const claims = volumeClaimTemplates.map(({ metadata }) => metadata.name);
    const played = podOf(template, name, hosts, sources, { claims, left });
    return startPod(played, template, ip, podman, log, left);
  }

  /** Surge of one and nobody missing, as the manifests' strategy has it. */
  async function rollDeployment(workload: Workload): Promise<void> {
    const template = templateOf(workload.object);
    const now = playing.get(keyOf(workload)) ?? { workload, template, pods: [], hash: '' };
    const hash = hashOf(template);
    const wanted = copiesOf(workload.object, objects);
    const old = hash === now.hash ? [] : [...now.pods];
    const current: Playing = { workload, template, pods: now.pods, hash };
    playing.set(keyOf(workload), current);
    const add = async () => {
      lives += 1;
      const pod = await start(workload, `${workload.name}-${lives}`, addresses.forPod());
      current.pods.push(pod);
      await pod.started;
      log(`${pod.name} is ready`);
    };
    const drop = async (pod: RunningPod) => {
      log(`${pod.name} is told to end`);
      await pod.stop();
      current.pods.splice(current.pods.indexOf(pod), 1);
      log(`${pod.name} has ended`);
    };
    while (current.pods.length - old.length < wanted) {
      await add();
      const first = old.shift();
      if (first) await drop(first);
    }
    for (const pod of [
      ...old,
      ...current.pods.slice(0, Math.max(0, current.pods.length - old.length - wanted)),
    ])
      await drop(pod);
  }

  /** A changed StatefulSet goes from its last pod to its first, one at a time. */
  async function rollSet(workload: Workload): Promise<void> {
    const template = templateOf(workload.object);
    const now = playing.get(keyOf(workload)) ?? { workload, template, pods: [], hash: '' };
    const hash = hashOf(template);
    const wanted = copiesOf(workload.object, objects);
    const current: Playing = { workload, template, pods: now.pods, hash };
    playing.set(keyOf(workload), current);
    const begin = async (name: string) => {
      const pod = await start(workload, name, addresses.forNamed(name));
      current.pods.push(pod);
      return pod;
    };
    if (hash !== now.hash) {
      for (const pod of [...now.pods].reverse()) {
        await pod.stop();
        current.pods.splice(current.pods.indexOf(pod), 1);
        await (
          await begin(pod.name)
        ).started;
      }
    }
    const begun: RunningPod[] = [];
    for (let i = current.pods.length; i < wanted; i += 1) begun.push(await begin(`${workload.name}-${i}`));
    await Promise.all(begun.map(({ started }) => started));
  }

  return {
    hosts,
    /** Names an address that belongs to no Kubernetes object, such as the database's. */
    name(host: string, ip: string): void {
      hosts[host] = ip;
    },
    /** Takes an overlay's objects and secrets as what is wanted; nothing is played yet. */
    async want(wanted: readonly KubeObject[], values: ReadonlyMap<string, Readonly<Record<string, string>>>) {
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
    /** Runs the Jobs that did not run yet; their names tell the release. @returns what each wrote */
    async runJobs(): Promise<Map<string, string>> {
      const written = new Map<string, string>();
      for (const job of workloads(objects).filter(({ kind }) => kind === 'Job')) {
        if (finished.has(job.name)) continue;
        const played = podOf(templateOf(job.object), job.name, hosts, sources, { restart: 'Never' });
        written.set(job.name, await podman.playToEnd(played.main, addresses.forPod()));
        finished.add(job.name);
      }
      return written;
    },
    /** A pod of a template that runs a command once, such as an operator's. @returns what it wrote */
    async runOnce(
      workload: Workload,
      name: string,
      change: (template: TemplateSpec) => TemplateSpec,
    ): Promise<string> {
      const played = podOf(change(templateOf(workload.object)), name, hosts, sources, { restart: 'Never' });
      return podman.playToEnd(played.main, addresses.forPod());
    },
    pods: (kind: 'Deployment' | 'StatefulSet', name: string): readonly RunningPod[] =>
      playing.get(`${kind}/${name}`)?.pods ?? [],
    workload: (kind: string, name: string): Workload => {
      const found = workloads(objects).find((one) => one.kind === kind && one.name === name);
      if (!found) throw new Error(`There is no ${kind} ${name}`);
      return found;
    },
    sources,
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

function endpointOf(pod: RunningPod, port: string | number): Endpoint[] {
  if (typeof port === 'number') return [{ ip: pod.ip, port }];
  const container = pod.template.containers.find(({ ports }) => ports?.some(({ name }) => name === port));
  return container ? [{ ip: pod.ip, port: portOf(container, port) }] : [];
}
