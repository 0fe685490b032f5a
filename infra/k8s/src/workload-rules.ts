/** Rules for every workload: limits, probes, a budget, the restricted profile, and references that exist. */
import {
  containersOf,
  externalSecrets,
  ofKind,
  secretsOf,
  selects,
  workloads,
  type Container,
  type Objects,
  type ScalerSpec,
  type Selector,
  type Workload,
} from './objects.ts';

/** Returns the faults whose rule does not hold. */
const broken = (rules: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(rules).flatMap(([fault, holds]) => (holds ? [] : [fault]));

export const workloadFaults = (objects: Objects): string[] =>
  workloads(objects).flatMap((workload) => [
    ...containersOf(workload.pod).flatMap((container) =>
      containerFaults(container, workload).map((fault) => `${workload.name}/${container.name}: ${fault}`),
    ),
    ...[...podFaults(workload, objects), ...secretFaults(workload, objects)].map(
      (fault) => `${workload.name}: ${fault}`,
    ),
  ]);

const tagOf = (image: string): string => /:([^/:@]+)(@[^@]*)?$/.exec(image)?.[1] ?? 'latest';

function containerFaults(container: Container, { pod, isLasting }: Workload): string[] {
  const { resources: { limits, requests } = {}, securityContext: security, image } = container;
  const isProbed = isLasting && pod.containers.includes(container);
  return broken({
    'no limit of cpu': limits?.['cpu'],
    'no request of cpu': requests?.['cpu'],
    'no limit of memory': limits?.['memory'],
    'no request of memory': requests?.['memory'],
    'no livenessProbe': !isProbed || container.livenessProbe,
    'no readinessProbe': !isProbed || container.readinessProbe,
    'may gain privileges': security?.allowPrivilegeEscalation === false,
    'may write to its root': security?.readOnlyRootFilesystem,
    'keeps capabilities': security?.capabilities?.drop?.includes('ALL'),
    [`its image ${image} has no version`]: tagOf(image) !== 'latest',
  });
}

function podFaults(workload: Workload, objects: Objects): string[] {
  const { pod, labels, isLasting, kind, name, object } = workload;
  const { securityContext: security, serviceAccountName: account } = pod;
  const isScaled = ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler').some(
    ({ spec: { scaleTargetRef: target } }) => target.kind === kind && target.name === name,
  );
  const isKept = ofKind<{ selector?: Selector }>(objects, 'PodDisruptionBudget').some(({ spec }) =>
    selects(spec.selector, labels),
  );
  const accounts = ofKind(objects, 'ServiceAccount').map(({ metadata }) => metadata.name);
  return broken({
    // Kubernetes refuses changes of a Job, so each release needs a new name.
    'is not named by its release':
      kind !== 'Job' || name.endsWith(`-${tagOf(pod.containers[0]?.image ?? '')}`),
    'may run as root': security?.runAsNonRoot,
    'has no seccomp profile': security?.seccompProfile?.type,
    'no account of its own': account !== undefined && accounts.includes(account),
    'no PodDisruptionBudget': !isLasting || isKept,
    // Each apply would reset the autoscaler's number; without either, there is one copy.
    'has not either its own number of copies or an autoscaler':
      !isLasting || isScaled === (object.spec?.['replicas'] === undefined),
    'is scaled and not spread over nodes': !isScaled || pod.topologySpreadConstraints?.length,
  });
}

function secretFaults({ pod }: Workload, objects: Objects): string[] {
  const secrets = new Map(externalSecrets(objects).map(({ name, keys }) => [name, keys]));
  return containersOf(pod).flatMap((container) => [
    ...secretsOf(container)
      .filter((name) => !secrets.has(name))
      .map((name) => `nothing makes the secret ${name}`),
    ...(container.env ?? []).flatMap(({ name, valueFrom: { secretKeyRef: ref } = {} }) =>
      ref && !(ref.key in (secrets.get(ref.name) ?? {}))
        ? [`${name}: the secret ${ref.name} has no ${ref.key}`]
        : [],
    ),
  ]);
}
