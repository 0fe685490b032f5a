/** A workload's template as a Pod that `podman kube play` takes. */
import type { KubeObject } from '@karaar/k8s/objects';

type EnvVar = {
  name: string;
  value?: string;
  valueFrom?: {
    secretKeyRef?: { name: string; key: string };
    configMapKeyRef?: { name: string; key: string };
    fieldRef?: { fieldPath: string };
  };
};
export type Handler = {
  httpGet?: { path: string; port: string | number };
  exec?: { command: string[] };
};
export type ProbeSpec = Handler & {
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
};
export type ContainerSpec = {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  env?: EnvVar[];
  envFrom?: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  ports?: { name?: string; containerPort: number }[];
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  resources?: { limits?: Record<string, string> };
  securityContext?: Record<string, unknown>;
  startupProbe?: ProbeSpec;
  readinessProbe?: ProbeSpec;
  livenessProbe?: ProbeSpec;
  lifecycle?: { preStop?: Handler };
};
export type VolumeSpec = {
  name: string;
  emptyDir?: unknown;
  configMap?: { name: string };
  secret?: { secretName: string; optional?: boolean; items?: { key: string; path: string }[] };
  persistentVolumeClaim?: { claimName: string };
};
export type TemplateSpec = {
  containers: ContainerSpec[];
  initContainers?: ContainerSpec[];
  volumes?: VolumeSpec[];
  securityContext?: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
};

/** Where values and files of configuration come from. */
export type Sources = {
  configMap: (name: string) => Readonly<Record<string, string>> | undefined;
  secret: (name: string) => Readonly<Record<string, string>> | undefined;
  /** Puts files into a folder on this machine, readable by the pod's account. @returns the folder */
  files: (pod: string, volume: string, files: Readonly<Record<string, string>>) => string;
  /** A folder on this machine that a pod may write to; one of a claim outlives the pod. @returns the folder */
  writable: (owner: string, volume: string, group: number) => string;
  /** The image by which podman knows it. */
  image: (name: string) => string;
};

export type Played = {
  pod: string;
  /** Run to their end one after the other, before the pod. */
  before: Record<string, unknown>[];
  main: Record<string, unknown>;
};

/**
 * The Pod of a template under this name. Values of the environment and files of configuration are put in; probes stay
 * out, since the rehearsal asks them itself.
 *
 * @param claims names of the claims that a StatefulSet makes for each of its pods
 * @param left containers that have no image here
 */
export function podOf(
  template: TemplateSpec,
  pod: string,
  hosts: Readonly<Record<string, string>>,
  sources: Sources,
  options: { claims?: readonly string[]; left?: readonly string[]; restart?: 'Always' | 'Never' } = {},
): Played {
  const group = Number(template.securityContext?.['fsGroup'] ?? 0);
  const folder = (name: string, path: string) => ({ name, hostPath: { path, type: 'Directory' } });
  const volumes = [
    ...(template.volumes ?? []).map((volume) => folder(volume.name, folderOf(volume, pod, group, sources))),
    ...(options.claims ?? []).map((name) => folder(name, sources.writable(`claim-${pod}`, name, group))),
  ];
  const container = (spec: ContainerSpec) => containerOf(spec, pod, sources);
  const make = (name: string, containers: readonly ContainerSpec[], restartPolicy: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'karaar-rehearsal': 'pod' } },
    spec: {
      hostname: pod,
      hostAliases: Object.entries(hosts).map(([host, ip]) => ({ ip, hostnames: [host] })),
      restartPolicy,
      terminationGracePeriodSeconds: template.terminationGracePeriodSeconds ?? 30,
      securityContext: template.securityContext ?? {},
      containers: containers.map(container),
      volumes,
    },
  });
  const kept = template.containers.filter(({ name }) => !(options.left ?? []).includes(name));
  return {
    pod,
    before: (template.initContainers ?? []).map((spec) => make(`${pod}-${spec.name}`, [spec], 'Never')),
    main: make(pod, kept, options.restart ?? 'Always'),
  };
}

function containerOf(spec: ContainerSpec, pod: string, sources: Sources): Record<string, unknown> {
  const { name, command, args, securityContext, resources } = spec;
  return {
    name,
    image: sources.image(spec.image),
    imagePullPolicy: 'Never',
    ...(command && { command }),
    ...(args && { args }),
    env: Object.entries(environmentOf(spec, pod, sources)).map(([key, value]) => ({ name: key, value })),
    ...(resources?.limits && { resources: { limits: resources.limits } }),
    ...(securityContext && { securityContext }),
    volumeMounts: spec.volumeMounts ?? [],
  };
}

/** The environment that a container gets; later sources win, as in Kubernetes. */
function environmentOf(spec: ContainerSpec, pod: string, sources: Sources): Record<string, string> {
  const needed = (kind: 'configMap' | 'secret', name: string) => {
    const values = sources[kind](name);
    if (!values) throw new Error(`${pod}: there is no ${kind} ${name}`);
    return values;
  };
  const env: Record<string, string> = {};
  for (const { configMapRef, secretRef } of spec.envFrom ?? []) {
    if (configMapRef) Object.assign(env, needed('configMap', configMapRef.name));
    if (secretRef) Object.assign(env, needed('secret', secretRef.name));
  }
  for (const { name, value, valueFrom } of spec.env ?? []) {
    const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom ?? {};
    const found = secretKeyRef
      ? needed('secret', secretKeyRef.name)[secretKeyRef.key]
      : configMapKeyRef
        ? needed('configMap', configMapKeyRef.name)[configMapKeyRef.key]
        : fieldRef?.fieldPath === 'metadata.name'
          ? pod
          : value;
    if (found === undefined) throw new Error(`${pod}: nothing gives ${name} a value`);
    env[name] = found;
  }
  return env;
}

/** The folder on this machine that stands for a volume. */
function folderOf(volume: VolumeSpec, pod: string, group: number, sources: Sources): string {
  const { name, configMap, secret, persistentVolumeClaim } = volume;
  if (configMap)
    return sources.files(pod, name, sources.configMap(configMap.name) ?? missing(pod, configMap.name));
  if (secret) {
    const values = sources.secret(secret.secretName);
    if (!values && secret.optional !== true) missing(pod, secret.secretName);
    const items = secret.items ?? Object.keys(values ?? {}).map((key) => ({ key, path: key }));
    const files = values ? items.map(({ key, path }) => [path, values[key] ?? '']) : [];
    return sources.files(pod, name, Object.fromEntries(files));
  }
  if (persistentVolumeClaim) return sources.writable('claim', persistentVolumeClaim.claimName, group);
  return sources.writable(`pod-${pod}`, name, group);
}

function missing(pod: string, name: string): never {
  throw new Error(`${pod}: there is no ConfigMap or Secret ${name}`);
}

/** The template of a workload, wherever its kind keeps it. */
export function templateOf(object: KubeObject): TemplateSpec {
  const spec = object.spec as {
    template?: { spec: TemplateSpec };
    jobTemplate?: { spec: { template: { spec: TemplateSpec } } };
  };
  const template = spec.template ?? spec.jobTemplate?.spec.template;
  if (!template) throw new Error(`${object.kind} ${object.metadata.name} has no template`);
  return template.spec;
}
