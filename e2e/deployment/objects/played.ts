/** Which objects of an overlay a rehearsal plays, and which only a real cluster shows. */
import type { KubeObject } from '@karaar/k8s/objects';

const PLAYED: Readonly<Record<string, string>> = {
  ConfigMap: 'as they are',
  Deployment: 'pods by podman; copies, surge, probes, preStop and grace by the rehearsal',
  StatefulSet: 'pods by podman with their names, order and volumes',
  Job: 'pods that run once',
  Service: 'an address that forwards to ready pods',
  PersistentVolumeClaim: 'volumes',
  ExternalSecret: 'their templates, filled from the store',
  Cluster: 'its roles, limits, pg_hba and parameters on one PostgreSQL with TLS',
  Database: 'made with their owners',
  Ingress: 'its host and certificate at a TLS proxy',
};

/** Lines for the log: each kind with how many there are, and how it is played or that it is not. */
export function playedKinds(objects: readonly KubeObject[]): { played: string[]; not: string[] } {
  const counts = new Map<string, number>();
  for (const { kind } of objects) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const sorted = [...counts].sort(([a], [b]) => a.localeCompare(b));
  return {
    played: sorted
      .filter(([kind]) => kind in PLAYED)
      .map(([kind, n]) => `${kind} (${n}): ${PLAYED[kind] ?? ''}`),
    not: sorted.filter(([kind]) => !(kind in PLAYED)).map(([kind, n]) => `${kind} (${n})`),
  };
}
