/** The fields of Kubernetes objects that the rules read. */

export type Values = Readonly<Record<string, string>>;
type KeyRef = { name: string; key: string };
export type Handler = { httpGet?: { port: string | number; path: string }; exec?: { command: string[] } };
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
export const workloads = (objects: Objects): Workload[] =>
  objects.flatMap((object) => {
    const { kind, metadata } = object;
    const spec = object.spec as
      { template?: Template; jobTemplate?: { spec: { template: Template } } } | undefined;
    const template = spec?.jobTemplate?.spec.template ?? spec?.template;
    if (!template) return [];
    const labels = template.metadata?.labels ?? {};
    const isLasting = kind !== 'Job' && kind !== 'CronJob';
    return { object, kind, name: metadata.name, labels, pod: template.spec, isLasting };
  });

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

/**
 * Returns the secrets that the External Secrets operator makes. A text of `keys` is a template with fetched
 * values in braces, but without constants in them, or undefined for a fetched value.
 */
export const externalSecrets = (objects: Objects) =>
  ofKind<ExternalSecretSpec>(objects, 'ExternalSecret').map(({ metadata, spec: { target, data = [] } }) => {
    const fetched = data.map(({ secretKey: key, remoteRef: { key: entry, property = '' } }) => ({
      key,
      entry: `${entry}/${property}`,
    }));
    const own = Object.fromEntries(fetched.map(({ key }) => [key, undefined]));
    const templates = Object.entries(target?.template?.data ?? {}).map(([key, text]) => [
      key,
      text.replaceAll(/\{\{ "([^"]*)" \}\}/g, '$1'),
    ]);
    const keys: Partial<Values> = target?.template?.data ? Object.fromEntries(templates) : own;
    return { name: target?.name ?? metadata.name, keys, fetched };
  });

/** `text` is undefined if only the store has it. */
type Variable = { text: string | undefined; isSecret: boolean };

/** Returns a container's variables; later sources override earlier ones, as in the kubelet. */
export function variablesOf(container: Container, objects: Objects): Map<string, Variable> {
  const result = new Map<string, Variable>();
  const secrets = new Map(externalSecrets(objects).map(({ name, keys }) => [name, keys]));
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]));
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    const given = secretRef ? secrets.get(secretRef.name) : maps.get(configMapRef?.name ?? '');
    for (const [name, text] of Object.entries(given ?? {}))
      result.set(name, { text, isSecret: secretRef !== undefined });
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { secretKeyRef: secret, configMapKeyRef: map } = valueFrom ?? {};
    const text = secret
      ? secrets.get(secret.name)?.[secret.key]
      : map
        ? maps.get(map.name)?.[map.key]
        : value;
    result.set(name, { text, isSecret: value === undefined && !map });
  }
  return result;
}

/** Returns the names of the secrets that give a container variables. */
export const secretsOf = ({ env = [], envFrom = [] }: Container): string[] =>
  [
    ...envFrom.map(({ secretRef }) => secretRef),
    ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef),
  ].flatMap((ref) => ref?.name ?? []);

/** Returns the number of a pod's open port that is given by name or number. */
export function containerPort({ pod }: Workload, port: string | number): number | undefined {
  const all = pod.containers.flatMap(({ ports = [] }) => ports);
  return all.find((one) => one.name === port || one.containerPort === port)?.containerPort;
}

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
