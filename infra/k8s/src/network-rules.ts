/** Every workload has a network policy, and every URL in an environment is reachable. */
import { textsOf } from './env-rules.ts';
import {
  containersOf,
  isEmptySelector,
  ofKind,
  selects,
  workloads,
  type Objects,
  type Selector,
  type ServiceSpec,
  type Workload,
} from './objects.ts';

export type Peer = { podSelector?: Selector; namespaceSelector?: Selector; ipBlock?: unknown };
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port?: number | string }[] };
export type PolicySpec = { podSelector: Selector; policyTypes?: string[]; ingress?: Rule[]; egress?: Rule[] };

const policies = (objects: Objects) => ofKind<PolicySpec>(objects, 'NetworkPolicy');

/** A default policy denies everything, and each workload has its own policies for both directions. */
export function policyFaults(objects: Objects): string[] {
  const all = policies(objects);
  const faults: string[] = [];
  const deniesAll = all.some(
    ({ spec }) =>
      isEmptySelector(spec.podSelector) &&
      ['Ingress', 'Egress'].every((type) => spec.policyTypes?.includes(type)) &&
      !spec.ingress?.length &&
      !spec.egress?.length,
  );
  if (!deniesAll) faults.push('no NetworkPolicy denies all traffic');
  for (const { name, labels } of workloads(objects)) {
    const own = all.filter(
      ({ spec }) => !isEmptySelector(spec.podSelector) && selects(spec.podSelector, labels),
    );
    const covered = new Set(own.flatMap(({ spec }) => spec.policyTypes ?? []));
    for (const type of ['Ingress', 'Egress'])
      if (!covered.has(type)) faults.push(`${name}: no NetworkPolicy of its own for ${type}`);
  }
  return faults;
}

/** The label of the pods with which cert-manager answers ACME challenges. */
const SOLVER = { 'acme.cert-manager.io/http01-solver': 'true' };
const SOLVER_PORT = 8089;

/** If an Ingress gets its certificate by ACME, a policy must let the solver's pods in. */
export function certificateFaults(objects: Objects): string[] {
  const isAnswered = policies(objects).some(
    ({ spec }) =>
      !isEmptySelector(spec.podSelector) &&
      selects(spec.podSelector, SOLVER) &&
      spec.ingress?.some(({ ports }) => ports?.some(({ port }) => port === SOLVER_PORT)),
  );
  return objects
    .filter(
      ({ kind, metadata }) => kind === 'Ingress' && metadata.annotations?.['cert-manager.io/cluster-issuer'],
    )
    .filter(() => !isAnswered)
    .map(({ metadata }) => `Ingress ${metadata.name}: nothing lets cert-manager answer for its certificate`);
}

/**
 * Every `name:port` in an environment, also from secrets, must be a service or database that policies allow.
 */
export function addressFaults(objects: Objects): string[] {
  return workloads(objects).flatMap((caller) =>
    containersOf(caller.pod).flatMap((container) =>
      [...textsOf(container, objects)].flatMap(([variable, text]) =>
        addressesIn(text).flatMap(({ host, port }) =>
          reachFaults(objects, caller, host, port).map(
            (fault) => `${caller.name}: ${variable} leads to ${host}:${port}, but ${fault}`,
          ),
        ),
      ),
    ),
  );
}

/** Containers of one pod reach each other without a policy. */
const OWN_POD = 'localhost';
/** Sentinels return the addresses of members, which listen on this port. */
const MEMBER_PORT = 6379;

/** Returns the hosts and ports in one or several URLs; a member of a StatefulSet counts as its service. */
function addressesIn(text: string): { host: string; port: number }[] {
  const scheme = /^([a-z+]+):\/\//.exec(text)?.[1];
  if (scheme === undefined) return [];
  const found = new Map<string, { host: string; port: number }>();
  for (const [, host = OWN_POD, port] of text.matchAll(/[/@,](?:[a-z-]+-\d+\.)?([a-z-]+):(\d+)/g)) {
    if (host === OWN_POD) continue;
    const ports = scheme === 'redis+sentinel' ? [Number(port), MEMBER_PORT] : [Number(port)];
    for (const one of ports) found.set(`${host}:${one}`, { host, port: one });
  }
  return [...found.values()];
}

function reachFaults(objects: Objects, caller: Workload, host: string, port: number): string[] {
  const answers = calleeOf(objects, host, port);
  if (typeof answers === 'string') return [answers];
  const way = mayCall(objects, caller, answers.callee, answers.target);
  return [...(way.out ? [] : ['no policy lets it out']), ...(way.in ? [] : ['no policy lets it in'])];
}

/** Returns the workload behind a name and port and its container port, or the fault. */
function calleeOf(
  objects: Objects,
  host: string,
  port: number,
): { callee: Workload; target: number } | string {
  const database = databases(objects).find(({ name }) => `${name}-rw` === host);
  if (database)
    return port === DATABASE_PORT ? { callee: database, target: port } : 'the database has no such port';
  const service = ofKind<ServiceSpec>(objects, 'Service').find(({ metadata }) => metadata.name === host);
  if (!service) return 'there is no such service';
  const open = service.spec.ports?.find((one) => one.port === port);
  if (!open) return 'the service has no such port';
  const callee = workloads(objects).find(({ labels }) =>
    selects({ matchLabels: service.spec.selector ?? {} }, labels),
  );
  if (!callee) return 'the service has no pods';
  const target = containerPort(callee, open.targetPort ?? open.port);
  return target === undefined ? 'its pods have no such port' : { callee, target };
}

const DATABASE_PORT = 5432;

/** Returns a workload for each `Cluster`, for which the PostgreSQL operator makes the pods. */
function databases(objects: Objects): Workload[] {
  return ofKind(objects, 'Cluster').map((object) => ({
    object,
    kind: 'Cluster',
    name: object.metadata.name,
    labels: { 'cnpg.io/cluster': object.metadata.name },
    pod: { containers: [{ name: 'postgres', image: '', ports: [{ containerPort: DATABASE_PORT }] }] },
    isLasting: true,
  }));
}

/** Returns whether the policies allow the caller's egress, and ingress at this port of the callee. */
export function mayCall(
  objects: Objects,
  caller: Workload,
  callee: Workload,
  port: number,
): { out: boolean; in: boolean } {
  const about = (labels: Workload['labels']) =>
    policies(objects)
      .map(({ spec }) => spec)
      .filter(({ podSelector }) => selects(podSelector, labels));
  const egress = about(caller.labels).flatMap((spec) => spec.egress ?? []);
  const ingress = about(callee.labels).flatMap((spec) => spec.ingress ?? []);
  return {
    out: allows(egress, 'to', callee, callee, port),
    in: allows(ingress, 'from', caller, callee, port),
  };
}

function allows(
  rules: readonly Rule[],
  side: 'from' | 'to',
  other: Workload,
  callee: Workload,
  target: number,
): boolean {
  return rules.some(
    (rule) =>
      (rule[side] === undefined ||
        rule[side].some(
          (peer) => peer.podSelector && !peer.namespaceSelector && selects(peer.podSelector, other.labels),
        )) &&
      (rule.ports === undefined ||
        rule.ports.some(({ port }) => port === undefined || containerPort(callee, port) === target)),
  );
}

export function containerPort({ pod }: Workload, port: string | number): number | undefined {
  const all = pod.containers.flatMap(({ ports = [] }) => ports);
  return all.find((one) => one.name === port || one.containerPort === port)?.containerPort;
}
