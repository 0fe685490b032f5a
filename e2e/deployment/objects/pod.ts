/** Converts the pod template of a workload to a Pod for `podman kube play`. */
import type { Container, PodSpec, Values } from '@karaar/k8s/objects';

export type Sources = {
  configMap: (name: string) => Values | undefined;
  secret: (name: string) => Values | undefined;
  /** Writes files to a folder on this machine that the pod can read. @returns the folder */
  files: (pod: string, volume: string, files: Values) => string;
  /** Creates a folder on this machine that the pod can write to. @returns the folder */
  writable: (owner: string, volume: string, group: number) => string;
  image: (name: string) => string;
};

export type Played = ReturnType<typeof podOf>;
export type Pod = Played['main'];
type Volume = NonNullable<PodSpec['volumes']>[number];

/**
 * Returns a Pod with the values of its environment and files. It has no probes, because the deployment test runs them.
 *
 * @param claims names of the claims that a StatefulSet makes for each of its pods
 * @param left containers without an image
 */
export function podOf(
  template: PodSpec,
  pod: string,
  hosts: Values,
  sources: Sources,
  options: { claims?: readonly string[]; left?: readonly string[]; restart?: 'Always' | 'Never' } = {},
) {
  const { claims = [], left = [], restart = 'Always' } = options;
  const group = template.securityContext?.fsGroup ?? 0;
  const needed = (kind: 'configMap' | 'secret', name: string): Values => {
    const values = sources[kind](name);
    if (!values) throw new Error(`${pod}: the ${kind} ${name} was not found`);
    return values;
  };

  function environmentOf({ env = [], envFrom = [] }: Container): { name: string; value: string }[] {
    // Later values win, as in Kubernetes.
    const values: Record<string, string> = {};
    for (const { configMapRef, secretRef } of envFrom) {
      if (configMapRef) Object.assign(values, needed('configMap', configMapRef.name));
      if (secretRef) Object.assign(values, needed('secret', secretRef.name));
    }
    for (const { name, value, valueFrom = {} } of env) {
      const { secretKeyRef, configMapKeyRef, fieldRef } = valueFrom;
      let found = fieldRef?.fieldPath === 'metadata.name' ? pod : value;
      if (configMapKeyRef) found = needed('configMap', configMapKeyRef.name)[configMapKeyRef.key];
      if (secretKeyRef) found = needed('secret', secretKeyRef.name)[secretKeyRef.key];
      if (found === undefined) throw new Error(`${pod}: ${name} has no value`);
      values[name] = found;
    }
    return Object.entries(values).map(([name, value]) => ({ name, value }));
  }

  function folderOf({ name, configMap, secret, persistentVolumeClaim }: Volume): string {
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
  const make = (name: string, containers: readonly Container[], restartPolicy: string) => {
    const spec = {
      hostname: pod,
      hostAliases: Object.entries(hosts).map(([host, ip]) => ({ ip, hostnames: [host] })),
      restartPolicy,
      terminationGracePeriodSeconds: template.terminationGracePeriodSeconds ?? 30,
      securityContext: template.securityContext ?? {},
      containers: containers.map(container),
      volumes,
    };
    const metadata = { name, labels: { 'karaar-deployment': 'pod' } };
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
  };
  const containers = template.containers.filter(({ name }) => !left.includes(name));
  const initial = template.initContainers ?? [];
  return {
    pod,
    /** These pods run to their end, one after the other, before the main pod. */
    before: initial.map((spec) => make(`${pod}-${spec.name}`, [spec], 'Never')),
    main: make(pod, containers, restart),
  };
}
