/** The fields of Kubernetes objects that the rules read. */

export type Values = Readonly<Record<string, string>>;
type KeyRef = { name: string; key: string };
export type Handler = {
  httpGet?: { port: string | number; path: string };
  exec?: { command: string[] };
};
export type Probe = Handler & { periodSeconds?: number; timeoutSeconds?: number; failureThreshold?: number };
export type Container = {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: {
    name: string;
    value?: string;
    valueFrom?: { secretKeyRef?: KeyRef; configMapKeyRef?: KeyRef; fieldRef?: { fieldPath: string } };
  }[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name?: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  resources?: { limits?: Values; requests?: Values };
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  startupProbe?: Probe;
  lifecycle?: { preStop?: Handler };
  securityContext?: {
    allowPrivilegeEscalation?: boolean;
    readOnlyRootFilesystem?: boolean;
    capabilities?: { drop?: string[] };
  };
};
export type PodSpec = {
  serviceAccountName?: string;
  containers: Container[];
  initContainers?: Container[];
  volumes?: {
    name: string;
    emptyDir?: unknown;
    configMap?: { name: string };
    secret?: { secretName: string; optional?: boolean; items?: { key: string; path: string }[] };
    persistentVolumeClaim?: { claimName: string };
  }[];
  securityContext?: {
    runAsNonRoot?: boolean;
    runAsUser?: number;
    runAsGroup?: number;
    fsGroup?: number;
    seccompProfile?: { type?: string };
  };
  automountServiceAccountToken?: boolean;
  topologySpreadConstraints?: unknown[];
  terminationGracePeriodSeconds?: number;
};
export type Selector = {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};
export type KubeObject = {
  apiVersion: string;
  kind: string;
  metadata: {
    name: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  spec?: Record<string, unknown>;
  data?: Record<string, string>;
};

export type Objects = readonly KubeObject[];

export type ServiceSpec = {
  selector?: Record<string, string>;
  ports?: { name?: string; port: number; targetPort?: string | number }[];
};
export type MonitorSpec = { selector: Selector; endpoints?: { port?: string }[] };
export type ScalerSpec = {
  scaleTargetRef: { kind: string; name: string };
  minReplicas?: number;
  maxReplicas: number;
};

export type Workload = {
  object: KubeObject;
  kind: string;
  name: string;
  labels: Record<string, string>;
  pod: PodSpec;
  /** True unless it is a Job or CronJob. */
  isLasting: boolean;
};

export const probesOf = ({ livenessProbe, readinessProbe, startupProbe }: Container): Probe[] =>
  [livenessProbe, readinessProbe, startupProbe].filter((probe) => probe !== undefined);

/** Returns the containers of a pod in the order of their start. */
export const containersOf = ({ initContainers = [], containers }: PodSpec): Container[] => [
  ...initContainers,
  ...containers,
];

type Template = { metadata?: { labels?: Record<string, string> }; spec: PodSpec };

/** Returns every object that runs pods, with its pod template. */
export function workloads(objects: Objects): Workload[] {
  return objects.flatMap((object) => {
    const { kind } = object;
    const spec = object.spec as { template?: Template; jobTemplate?: { spec: { template: Template } } };
    const isJob = kind === 'Job' || kind === 'CronJob';
    if (!isJob && kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'DaemonSet') return [];
    const template = kind === 'CronJob' ? spec.jobTemplate?.spec.template : spec.template;
    if (!template) return [];
    return {
      object,
      kind,
      name: object.metadata.name,
      labels: template.metadata?.labels ?? {},
      pod: template.spec,
      isLasting: !isJob,
    };
  });
}

/** Returns the faults of all containers, prefixed with the workload and the container. */
export const perContainer = (
  objects: Objects,
  faultsOf: (container: Container, workload: Workload) => string[],
): string[] =>
  workloads(objects).flatMap((workload) =>
    workload.pod.containers.flatMap((container) =>
      faultsOf(container, workload).map((fault) => `${workload.name}/${container.name}: ${fault}`),
    ),
  );

type ExternalSecretSpec = {
  target?: { name?: string; template?: { data?: Values } };
  data?: { secretKey: string; remoteRef: { key: string; property?: string } }[];
};
export type ExternalSecret = {
  name: string;
  /** The text of each key, with fetched values in braces; undefined if the keys are the fetched values. */
  template: Values | undefined;
  fetched: { key: string; entry: string; property: string }[];
};

/** Returns the secrets that the External Secrets operator makes, and their entries in the store. */
export const externalSecrets = (objects: Objects): ExternalSecret[] =>
  ofKind<ExternalSecretSpec>(objects, 'ExternalSecret').map(({ metadata, spec: { target, data = [] } }) => ({
    name: target?.name ?? metadata.name,
    template: target?.template?.data,
    fetched: data.map(({ secretKey, remoteRef: { key, property = '' } }) => ({
      key: secretKey,
      entry: key,
      property,
    })),
  }));

export function ofKind<S>(objects: Objects, kind: string): (KubeObject & { spec: S })[] {
  return objects.filter((object) => object.kind === kind) as (KubeObject & { spec: S })[];
}

/** Returns true if a label selector matches these labels; an empty one matches all. */
export function selects(selector: Selector | undefined, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'In') return value !== undefined && values.includes(value);
      if (operator === 'NotIn') return value === undefined || !values.includes(value);
      return operator === 'Exists' ? value !== undefined : value === undefined;
    })
  );
}

export const isEmptySelector = (selector: Selector | undefined): boolean =>
  Object.keys(selector?.matchLabels ?? {}).length + (selector?.matchExpressions ?? []).length === 0;
