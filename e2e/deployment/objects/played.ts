/** Which objects of an overlay are played, and which only a real cluster shows. */
import type { KubeObject, Values } from '@karaar/k8s/objects';

const PLAYED: Values = {
  ConfigMap: 'as they are',
  Deployment: 'pods by podman; copies, surge, probes, preStop and grace by the test',
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
export const playedKinds = (objects: readonly KubeObject[]): string[] =>
  Object.entries(Object.groupBy(objects, ({ kind }) => kind))
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([kind, ones = []]) => {
      const how = PLAYED[kind];
      return `${how === undefined ? 'not played' : 'played'}: ${kind} (${ones.length})${how === undefined ? '' : `: ${how}`}`;
    });
