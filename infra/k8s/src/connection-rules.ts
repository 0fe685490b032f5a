/** The number of PostgreSQL connections at full autoscaling during a release. */
import { variablesOf } from './env-rules.ts';
import { ofKind, workloads, type Objects, type ScalerSpec } from './objects.ts';

type RolloutSpec = { replicas?: number; strategy?: { rollingUpdate?: { maxSurge?: number } } };
type ClusterSpec = {
  postgresql: { parameters: Record<string, string> };
  managed: { roles: { name: string; connectionLimit: number }[] };
};

/** The default of `DATABASE_POOL` in libs/service/src/service. */
const POOL = 10;
/** The wallet's ledger check has its own connection. */
const BESIDE = 1;
/** The migration runs while copies of the earlier release are still connected. */
const MIGRATION = 1;
/** For superusers, the PostgreSQL operator, the exporter, and an operator's shell. */
const RESERVED = 12;

/** Returns the faults of the connection limits: in total, and per role. */
export function connectionFaults(objects: Objects): string[] {
  const needs = needsOf(objects);
  const all = [...needs.values()].reduce((sum, need) => sum + need, 0) + RESERVED;
  return ofKind<ClusterSpec>(objects, 'Cluster').flatMap(({ metadata, spec }) => {
    const has = Number(spec.postgresql.parameters['max_connections']);
    const tight = spec.managed.roles.filter((role) => (needs.get(role.name) ?? 0) > role.connectionLimit);
    return [
      ...(all > has ? [`${metadata.name}: ${all} connections may be opened, and its limit is ${has}`] : []),
      ...tight.map(
        ({ name, connectionLimit: limit }) =>
          `${metadata.name}: ${name} may open ${needs.get(name)} connections, and its limit is ${limit}`,
      ),
    ];
  });
}

/** Returns the maximum number of connections of each role. */
function needsOf(objects: Objects): Map<string, number> {
  const scalers = ofKind<ScalerSpec>(objects, 'HorizontalPodAutoscaler');
  const needs = new Map<string, number>();
  for (const { kind, name, pod, object } of workloads(objects)) {
    const [container] = pod.containers;
    if (kind !== 'Deployment' || !container) continue;
    const variables = variablesOf(container, objects);
    if (!variables.has('DATABASE_URL')) continue;
    const { replicas = 1, strategy } = object.spec as RolloutSpec;
    const scaler = scalers.find(({ spec }) => spec.scaleTargetRef.name === name);
    const copies = (scaler?.spec.maxReplicas ?? replicas) + (strategy?.rollingUpdate?.maxSurge ?? 0);
    const pool = Number(variables.get('DATABASE_POOL') ?? POOL) + (name === 'wallet' ? BESIDE : 0);
    needs.set(`karaar_${name}_app`, copies * pool);
    needs.set(`karaar_${name}`, MIGRATION);
  }
  return needs;
}
