/** The connections to PostgreSQL, when every autoscaler has made all the copies that it may and a release replaces them. */
import { variablesOf } from './env-rules.ts';
import { ofKind, workloads, type KubeObject, type ScalerSpec } from './objects.ts';

type RolloutSpec = { replicas?: number; strategy?: { rollingUpdate?: { maxSurge?: number } } };
type ClusterSpec = {
  postgresql: { parameters: Record<string, string> };
  managed: { roles: { name: string; connectionLimit: number }[] };
};

/** As the services take it without being told (libs/platform/src/service). */
const POOL = 10;
/** Of a process beside its pool: the ledger's proof in wallet has one of its own. */
const BESIDE = 1;
/** Of the migration of a service, while the copies of the release before are still there. */
const MIGRATION = 1;
/** PostgreSQL's own for superusers, the operator's, the exporter's, and an operator with a shell. */
const RESERVED = 12;

/** @returns faults of the budget: of all services together, and of each role */
export function connectionFaults(objects: readonly KubeObject[]): string[] {
  const needs = needsOf(objects);
  const all = [...needs.values()].reduce((sum, need) => sum + need, 0) + RESERVED;
  return ofKind<ClusterSpec>(objects, 'Cluster').flatMap(({ metadata, spec }) => {
    const has = Number(spec.postgresql.parameters['max_connections']);
    const tight = spec.managed.roles.filter((role) => (needs.get(role.name) ?? 0) > role.connectionLimit);
    return [
      ...(all > has ? [`${metadata.name}: ${all} connections may be asked for, and it has ${has}`] : []),
      ...tight.map(
        ({ name, connectionLimit: limit }) =>
          `${metadata.name}: ${name} may ask for ${needs.get(name)} connections, and it may have ${limit}`,
      ),
    ];
  });
}

/** Connections of each role at most, by its name: of those as which services work, and of the owners of the tables. */
function needsOf(objects: readonly KubeObject[]): Map<string, number> {
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
