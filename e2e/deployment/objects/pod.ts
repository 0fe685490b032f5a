/** A workload's template as a Pod that `podman kube play` takes. */
import type { Container, PodSpec, Values } from '@karaar/k8s/objects';

/** Where values and files of configuration come from. */
export type Sources = {
  configMap: (name: string) => Values | undefined;
  secret: (name: string) => Values | undefined;
  /** Puts files into a folder on this machine, readable by the pod's account. @returns the folder */
  files: (pod: string, volume: string, files: Values) => string;
  /** A folder on this machine that a pod may write to; one of a claim outlives the pod. @returns the folder */
  writable: (owner: string, volume: string, group: number) => string;
  /** The image by which podman knows it. */
  image: (name: string) => string;
};

export type Pod = { metadata: { name: string }; spec: { containers: { name: string }[] } };
export type Played = {
  pod: string;
  /** Run to their end one after the other, before the pod. */
  before: Pod[];
  main: Pod;
};

/**
 * The Pod of a template under this name. Values of the environment and files of configuration are put in; probes stay
 * out, since the deployment test asks them itself.
 *
 * @param claims names of the claims that a StatefulSet makes for each of its pods
 * @param left containers that have no image here
 */
export function podOf(
  template: PodSpec,
  pod: string,
  hosts: Values,
  sources: Sources,
  options: { claims?: readonly string[]; left?: readonly string[]; restart?: 'Always' | 'Never' } = {},
): Played {
  const { claims = [], left = [], restart = 'Always' } = options;
  const group = template.securityContext?.fsGroup ?? 0;
  const needed = (kind: 'configMap' | 'secret', name: string): Values => {
    const values = sources[kind](name);
    if (!values) throw new Error(`${pod}: there is no ${kind} ${name}`);
    return values;
  };

  /** The environment that a container gets; later sources win, as in Kubernetes. */
  function environmentOf({ env = [], envFrom = [] }: Container): { name: string; value: string }[] {
    const values: Record<string, string> = {};
    for (const { configMapRef, secretRef } of envFrom) {
      if (configMapRef) Object.assign(values, needed('configMap', configMapRef.name));
      if (secretRef) Object.assign(values, needed('secret', secretRef.name));
    }
    for (const { name, value, valueFrom = {} } of env) {
      const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom;
      const found = secretKeyRef
        ? needed('secret', secretKeyRef.name)[secretKeyRef.key]
        : configMapKeyRef
          ? needed('configMap', configMapKeyRef.name)[configMapKeyRef.key]
          : fieldRef?.fieldPath === 'metadata.name'
            ? pod
            : value;
      if (found === undefined) throw new Error(`${pod}: nothing gives ${name} a value`);
      values[name] = found;
    }
    return Object.entries(values).map(([name, value]) => ({ name, value }));
  }

  /** The folder on this machine that stands for a volume. */
  function folderOf({
    name,
    configMap,
    secret,
    persistentVolumeClaim,
  }: NonNullable<PodSpec['volumes']>[number]): string {
    if (configMap) return sources.files(pod, name, needed('configMap', configMap.name));
    if (secret) {
      const { secretName, optional = false } = secret;
      const values = optional ? (sources.secret(secretName) ?? {}) : needed('secret', secretName);
      const items = secret.items ?? Object.keys(values).map((key) => ({ key, path: key }));
      const files = items.flatMap(({ key, path }) => (key in values ? [[path, values[key] ?? '']] : []));
      return sources.files(pod, name, Object.fromEntries(files) as Values);
    }
    if (persistentVolumeClaim) return sources.writable('claim', persistentVolumeClaim.claimName, group);
    return sources.writable(`pod-${pod}`, name, group);
  }

  const container = (spec: Container) => ({
    name: spec.name,
    image: sources.image(spec.image),
    imagePullPolicy: 'Never',
    command: spec.command,
    args: spec.args,
    env: environmentOf(spec),
    resources: spec.resources?.limits && { limits: spec.resources.limits },
    securityContext: spec.securityContext,
    volumeMounts: spec.volumeMounts ?? [],
  });
  const volumes = [
    ...(template.volumes ?? []).map((volume) => ({ name: volume.name, path: folderOf(volume) })),
    ...claims.map((name) => ({ name, path: sources.writable(`claim-${pod}`, name, group) })),
  ].map(({ name, path }) => ({ name, hostPath: { path, type: 'Directory' } }));
  const make = (name: string, containers: readonly Container[], restartPolicy: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { 'karaar-deployment': 'pod' } },
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
  return {
    pod,
    before: (template.initContainers ?? []).map((spec) => make(`${pod}-${spec.name}`, [spec], 'Never')),
    main: make(
      pod,
      template.containers.filter(({ name }) => !left.includes(name)),
      restart,
    ),
  };
}
