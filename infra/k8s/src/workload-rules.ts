/** Rules for every workload: limits, probes, a budget, the restricted profile, and references that exist. */
import { secretKeys, variablesOf } from './env-rules.ts';
import {
  containersOf,
  ofKind,
  selects,
  workloads,
  type Container,
  type Objects,
  type ScalerSpec,
  type Selector,
  type Workload,
} from './objects.ts';

export function workloadFaults(objects: Objects): string[] {
  return workloads(objects).flatMap((workload) => [
    ...containersOf(workload.pod).flatMap((container) =>
      containerFaults(container, workload).map((fault) => `${workload.name}/${container.name}: ${fault}`),
    ),
    ...[
      ...readinessFaults(workload, objects),
      ...jobFaults(workload),
      ...podFaults(workload, objects),
      ...referenceFaults(workload, objects),
    ].map((fault) => `${workload.name}: ${fault}`),
  ]);
}

function containerFaults(container: Container, { pod, isLasting }: Workload): string[] {
  const faults: string[] = [];
  const { resources, securityContext: security, image } = container;
  for (const resource of ['cpu', 'memory']) {
    if (!resources?.limits?.[resource]) faults.push(`no limit of ${resource}`);
    if (!resources?.requests?.[resource]) faults.push(`no request of ${resource}`);
  }
  if (isLasting && pod.containers.includes(container))
    for (const probe of ['livenessProbe', 'readinessProbe'] as const)
      if (!container[probe]) faults.push(`no ${probe}`);
  if (security?.allowPrivilegeEscalation !== false) faults.push('may gain privileges');
  if (security?.readOnlyRootFilesystem !== true) faults.push('may write to its root');
  if (!security?.capabilities?.drop?.includes('ALL')) faults.push('keeps capabilities');
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  if (tag === undefined || tag === 'latest') faults.push(`its image ${image} has no version`);
  return faults;
}

type BudgetSpec = { selector?: Selector };

/** Kubernetes refuses changes of a Job, so each release needs a new name. */
function jobFaults({ kind, name, pod }: Workload): string[] {
  const [, version = ''] = /:([^/:]+)$/.exec(pod.containers[0]?.image ?? '') ?? [];
  return kind === 'Job' && !name.endsWith(`-${version}`) ? ['is not named by its release'] : [];
}

/** Readiness must not depend on the broker: a short outage would remove all copies of all services. */
function readinessFaults({ pod, isLasting }: Workload, objects: Objects): string[] {
  const asksForAll = pod.containers.some(
    (container) =>
      container.readinessProbe?.httpGet?.path === '/readyz' &&
      variablesOf(container, objects).has('DATABASE_URL'),
  );
  if (!isLasting || !asksForAll) return [];
  return ['is not ready during an outage of a shared part'];
}

function podFaults({ pod, labels, isLasting, kind, name, object }: Workload, objects: Objects): string[] {
  const faults: string[] = [];
  const { securityContext: security } = pod;
  if (security?.runAsNonRoot !== true) faults.push('may run as root');
  if (security?.seccompProfile?.type === undefined) faults.push('has no seccomp profile');
  if (!isLasting) return faults;
  const budgets = ofKind<BudgetSpec>(objects, 'PodDisruptionBudget');
  if (!budgets.some(({ spec }) => selects(spec.selector, labels))) faults.push('no PodDisruptionBudget');
  const isScaled = ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler').some(
    ({ spec: { scaleTargetRef: target } }) => target.kind === kind && target.name === name,
  );
  // Each apply would reset the number of copies.
  if (isScaled && object.spec?.['replicas'] !== undefined)
    faults.push('sets its number of copies, which its autoscaler decides');
  if (isScaled && !pod.topologySpreadConstraints?.length) faults.push('is scaled and not spread over nodes');
  return faults;
}

function referenceFaults({ pod, object }: Workload, objects: Objects): string[] {
  const faults: string[] = [];
  const has = (kind: string, name: string) =>
    objects.some(
      (one) =>
        one.kind === kind &&
        one.metadata.name === name &&
        one.metadata.namespace === object.metadata.namespace,
    );
  const secrets = secretKeys(objects);
  if (!pod.serviceAccountName || !has('ServiceAccount', pod.serviceAccountName))
    faults.push('no account of its own');
  for (const container of containersOf(pod)) {
    for (const { configMapRef, secretRef } of container.envFrom ?? []) {
      if (configMapRef && !has('ConfigMap', configMapRef.name))
        faults.push(`there is no ConfigMap ${configMapRef.name}`);
      if (secretRef && !secrets.has(secretRef.name))
        faults.push(`nothing makes the secret ${secretRef.name}`);
    }
    for (const { name, valueFrom } of container.env ?? []) {
      const ref = valueFrom?.secretKeyRef;
      if (ref && !secrets.get(ref.name)?.has(ref.key))
        faults.push(`${name}: the secret ${ref.name} has no ${ref.key}`);
    }
  }
  return faults;
}

/** Autoscalers and budgets must have a target. */
export function danglingFaults(objects: Objects): string[] {
  const all = workloads(objects);
  return [
    ...ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler')
      .filter(
        ({ spec: { scaleTargetRef: target } }) =>
          !all.some((one) => one.kind === target.kind && one.name === target.name),
      )
      .map(({ metadata }) => `HorizontalPodAutoscaler ${metadata.name}: its target does not exist`),
    ...ofKind<BudgetSpec>(objects, 'PodDisruptionBudget')
      .filter(({ spec }) => !all.some(({ labels }) => selects(spec.selector, labels)))
      .map(({ metadata }) => `PodDisruptionBudget ${metadata.name}: it protects nothing`),
  ];
}
