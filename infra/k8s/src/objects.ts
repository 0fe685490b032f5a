/** Kubernetes objects as far as the rules look into them. */

export type Values = Readonly<Record<string, string>>;
type KeyRef = { name: string; key: string };
export type Handler = {
  httpGet?: { port: string | number; path: string };
  exec?: { command: string[] };
  tcpSocket?: unknown;
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

/** Something that runs pods. */
export type Workload = {
  object: KubeObject;
  kind: string;
  name: string;
  labels: Record<string, string>;
  pod: PodSpec;
  /** Stays: needs probes and a budget. */
  isLasting: boolean;
};

type Template = { metadata?: { labels?: Record<string, string> }; spec: PodSpec };

/** The pods' template of a workload, wherever its kind keeps it. */
export function workloads(objects: readonly KubeObject[]): Workload[] {
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

/** All objects of a kind, with the type of what is read of their spec. */
export function ofKind<S>(objects: readonly KubeObject[], kind: string): (KubeObject & { spec: S })[] {
  return objects.filter((object) => object.kind === kind) as (KubeObject & { spec: S })[];
}

/** Whether a label selector picks these labels; an empty one picks all. */
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
