/** Runs the objects of an overlay in the cluster of KUBECONFIG, in a namespace of its own. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '@karaar/testing/machine/run';
import { stateRoot } from '@karaar/testing/roots';
import { workloads, type KubeObject, type PodSpec, type Values, type Workload } from '@karaar/k8s/objects';
import { dependenciesOf, runWithInput, type Cluster, type ClusterOptions } from './cluster.ts';

const NAMESPACE = 'karaar-deployment';
const OWN = 'karaar-deployment';
/** The test does the work of the operators for other kinds, and its own proxy that of the ingress. */
const KINDS = [
  ...['ConfigMap', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PersistentVolumeClaim'],
  ...['PodDisruptionBudget', 'Service', 'ServiceAccount'],
];
const ROLLOUT_MS = 900_000;
/** Kubernetes writes a changed secret to the files of a pod within about a minute. */
const FILES_MS = 180_000;

export async function createKubeCluster({ env, folder, imageOf, log }: ClusterOptions): Promise<Cluster> {
  const output = join(stateRoot, 'logs', 'deployment.log');
  const kubectl = (...args: string[]): Promise<string> =>
    run('kubectl', ['--namespace', NAMESPACE, ...args], { env, log: output, timeoutMs: ROLLOUT_MS });
  let objects: readonly KubeObject[] = [];
  let secrets: ReadonlyMap<string, Values> = new Map();
  const finished = new Set<string>();
  const servers = new Map<string, { files: Values; forwarding: AbortController }>();
  const addresses = new Map<string, string>();
  let applied = 0;

  async function apply(wanted: readonly object[]): Promise<void> {
    applied += 1;
    const file = join(folder, `apply-${applied}.json`);
    const items = wanted.map((object) => ({ apiVersion: 'v1', ...object }));
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), { mode: 0o600 });
    await kubectl('apply', '--server-side', '--force-conflicts', '--filename', file);
    rmSync(file);
  }
  const secretOf = (name: string, stringData: Values) => ({ kind: 'Secret', metadata: { name }, stringData });
  const inNamespace = (object: KubeObject): KubeObject => {
    const copy = structuredClone(object);
    copy.metadata.namespace = NAMESPACE;
    return copy;
  };

  /** Returns the object with the images of this test; the pods are replaced when a secret changes. */
  function deployable({ object, pod }: Workload): KubeObject {
    const copy = inNamespace(object);
    const [found] = workloads([copy]);
    if (!found) throw new Error(`${object.metadata.name} does not run pods`);
    const values = createHash('sha256')
      .update(dependenciesOf(pod, objects, secrets))
      .digest('hex');
    found.labels[`${OWN}/values`] = values.slice(0, 40);
    for (const part of ['containers', 'initContainers'] as const)
      found.pod[part] = (pod[part] ?? []).flatMap((container) => {
        const image = imageOf(container.image);
        return image === undefined ? [] : [{ ...container, image }];
      });
    return copy;
  }
  async function roll(workload: Workload): Promise<void> {
    await apply([deployable(workload)]);
    await kubectl('rollout', 'status', `${workload.kind}/${workload.name}`.toLowerCase());
    log(`${workload.name} is ready`);
  }

  async function createNamespace(): Promise<void> {
    const found = await kubectl('get', 'namespace', NAMESPACE, '--ignore-not-found', '--output', 'json');
    const { metadata } = JSON.parse(found || '{}') as Partial<KubeObject>;
    if (metadata && metadata.labels?.[OWN] !== 'namespace')
      throw new Error(`The namespace ${NAMESPACE} exists and is not of an earlier run of this test`);
    if (metadata) await kubectl('delete', 'namespace', NAMESPACE);
    const labels = { [OWN]: 'namespace', 'pod-security.kubernetes.io/warn': 'restricted' };
    await apply([{ kind: 'Namespace', metadata: { name: NAMESPACE, labels } }]);
  }

  /** Opens the ports of a server at its address here until the signal aborts. */
  async function forward(
    name: string,
    { containers }: Pick<PodSpec, 'containers'>,
    signal: AbortSignal,
  ): Promise<void> {
    const ports = containers.flatMap((container) => container.ports ?? []);
    const args = ['port-forward', '--address', addressOf(name), `pod/${name}`];
    args.push(...ports.map(({ containerPort: port }) => `${port}:${port}`));
    const child = spawn('kubectl', ['--namespace', NAMESPACE, ...args], {
      ...{ env, signal },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<Error>((resolve) => {
      child.once('error', resolve);
      child.once('exit', (code) => resolve(new Error(`port-forward to ${name} ended with ${code}`)));
    });
    const fault = await Promise.race([ended, once(child.stdout, 'data')]);
    if (fault instanceof Error) throw fault;
    child.stdout.resume();
    void ended.then(async (end) => {
      if (signal.aborted) return;
      log(`${end.message}; it is opened again`);
      await forward(name, { containers }, signal).catch((error: unknown) => log(String(error)));
    });
  }

  const addressOf = (server: string): string => {
    const address = addresses.get(server) ?? `127.213.0.${addresses.size + 1}`;
    addresses.set(server, address);
    return address;
  };
  const endForwarding = (): void => {
    for (const { forwarding } of servers.values()) forwarding.abort();
    servers.clear();
  };

  await createNamespace();
  return {
    // A forwarded connection arrives from inside the pod.
    callerAddress: '127.0.0.1',
    addressOf,
    async want(wanted, values) {
      objects = wanted;
      secrets = values;
      const plain = wanted.filter(({ kind }) => KINDS.includes(kind)).map(inNamespace);
      const templates = workloads(wanted).filter(({ kind }) => kind === 'CronJob');
      const made = [...values].map(([name, entries]) => secretOf(name, entries));
      await apply([...made, ...plain, ...templates.map(deployable)]);
    },
    async rollSets(names) {
      for (const workload of workloads(objects))
        if (workload.kind === 'StatefulSet' && names.includes(workload.name)) await roll(workload);
    },
    async stopSet(name) {
      await kubectl('scale', `statefulset/${name}`, '--replicas=0');
      const gone = ['--for=delete', `--selector=app.kubernetes.io/name=${name}`, '--timeout=2m'];
      await kubectl('wait', 'pod', ...gone);
    },
    rollDeployment: roll,
    async runJobs() {
      const jobs = workloads(objects).filter(({ kind, name }) => kind === 'Job' && !finished.has(name));
      for (const job of jobs) {
        await apply([deployable(job)]);
        await kubectl('wait', '--for=condition=complete', `job/${job.name}`, '--timeout=10m');
        finished.add(job.name);
      }
      return jobs.map(({ name }) => name);
    },
    async pods(_, name) {
      const ready = '{.status.conditions[?(@.type=="Ready")].status}';
      const fields = `{.metadata.name} ${ready} {.status.containerStatuses[*].restartCount}`;
      const format = `--output=jsonpath={range .items[*]}${fields}{"\\n"}{end}`;
      const lines = await kubectl('get', 'pods', `--selector=app.kubernetes.io/name=${name}`, format);
      return lines.split('\n').flatMap((line) => {
        const [pod, isReady, ...restarts] = line.split(' ');
        if (!pod) return [];
        return [
          {
            name: pod,
            isReady: isReady === 'True',
            restarts: restarts.map(Number).reduce((a, b) => a + b, 0),
          },
        ];
      });
    },
    async startServer({ name, host, template, files, claims = [] }) {
      const labels = { [OWN]: name };
      const ports = template.containers.flatMap((container) => container.ports ?? []);
      const spec = { selector: labels, ports: ports.map(({ containerPort: port }) => ({ port })) };
      const service = { kind: 'Service', metadata: { name: host }, spec };
      const volumes = [
        ...(template.volumes ?? []).map((volume) =>
          volume.configMap ? { name: volume.name, secret: { secretName: `server-${name}` } } : volume,
        ),
        ...claims.map((claim) => ({ name: claim, emptyDir: {} })),
      ];
      const containers = template.containers.map((one) => ({
        ...one,
        image: imageOf(one.image) ?? one.image,
      }));
      await apply([
        secretOf(`server-${name}`, files),
        ...(host === undefined ? [] : [service]),
        { kind: 'Pod', metadata: { name, labels }, spec: { ...template, containers, volumes } },
      ]);
      await kubectl('wait', '--for=condition=Ready', `pod/${name}`, '--timeout=5m');
      const forwarding = new AbortController();
      servers.set(name, { files, forwarding });
      await forward(name, template, forwarding.signal);
    },
    async renewFiles(name, changed, reload) {
      const server = servers.get(name);
      if (!server) throw new Error(`${name} does not run`);
      server.files = { ...server.files, ...changed };
      await apply([secretOf(`server-${name}`, server.files)]);
      const paths = Object.keys(changed).map((file) => `/config/${file}`);
      const read = () => kubectl('exec', name, '--', 'cat', ...paths);
      const wanted = Object.values(changed).join('').trim();
      for (const end = Date.now() + FILES_MS; (await read()).trim() !== wanted; await sleep(2_000))
        if (Date.now() > end) throw new Error(`the pod ${name} has its old files`);
      await kubectl('exec', name, '--', ...reload);
    },
    async startOperator() {
      await kubectl('create', 'job', 'ops', '--from=cronjob/ops');
      await kubectl('wait', '--for=jsonpath={.status.active}=1', 'job/ops');
      const selector = '--selector=job-name=ops';
      await kubectl('wait', '--for=condition=Ready', 'pod', selector, '--timeout=5m');
      const pod = await kubectl('get', 'pod', selector, '--output=jsonpath={.items[0].metadata.name}');
      return {
        exec: (command, input) =>
          runWithInput(
            ['kubectl', '--namespace', NAMESPACE, 'exec', '-i', pod, '--', ...command],
            input,
            env,
          ),
        async copy(inPod, here, direction) {
          const there = `${pod}:${inPod}`;
          await kubectl('cp', ...(direction === 'out' ? [there, here] : [here, there]));
        },
        async stop() {
          await kubectl('delete', 'job', 'ops');
        },
      };
    },
    async deleteEverything() {
      endForwarding();
      finished.clear();
      await createNamespace();
    },
    async close() {
      endForwarding();
      await kubectl('delete', 'namespace', NAMESPACE);
    },
  };
}
