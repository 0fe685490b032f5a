/** Every workload has a network policy, and policies allow exactly the connections of the environments. */
import {
  containerPort,
  containersOf,
  isBehind,
  isEmptySelector,
  ofKind,
  perContainer,
  selects,
  variablesOf,
  workloads,
  type MonitorSpec,
  type Objects,
  type Selector,
  type ServiceSpec,
  type Workload,
} from './objects.ts';

export type Peer = { podSelector?: Selector; namespaceSelector?: Selector };
type Rule = { from?: Peer[]; to?: Peer[]; ports?: { port?: number | string }[] };
type PolicySpec = { podSelector: Selector; policyTypes?: string[]; ingress?: Rule[]; egress?: Rule[] };

const policies = (objects: Objects) =>
  ofKind<PolicySpec>(objects, 'NetworkPolicy').map(({ metadata, spec }) => ({
    name: metadata.name,
    ...spec,
  }));

/** Returns the policies for pods with these labels. */
export const policiesOf = (objects: Objects, labels: Workload['labels']) =>
  policies(objects).filter(({ podSelector }) => selects(podSelector, labels));

const DIRECTIONS = ['Ingress', 'Egress'];

/** A default policy denies everything, and each workload has its own policies for both directions. */
export function policyFaults(objects: Objects): string[] {
  const deniesAll = policies(objects).some(
    ({ podSelector, policyTypes, ingress = [], egress = [] }) =>
      isEmptySelector(podSelector) &&
      DIRECTIONS.every((type) => policyTypes?.includes(type)) &&
      ingress.length + egress.length === 0,
  );
  const uncovered = workloads(objects).flatMap(({ name, labels }) => {
    const own = policiesOf(objects, labels).filter(({ podSelector }) => !isEmptySelector(podSelector));
    return DIRECTIONS.filter((type) => !own.some(({ policyTypes }) => policyTypes?.includes(type))).map(
      (type) => `${name}: no NetworkPolicy of its own for ${type}`,
    );
  });
  return [...(deniesAll ? [] : ['no NetworkPolicy denies all traffic']), ...uncovered];
}

/** The label and port of the pods with which cert-manager answers ACME challenges. */
const SOLVER = { 'acme.cert-manager.io/http01-solver': 'true' };
const SOLVER_PORT = 8089;

/** If an Ingress gets its certificate by ACME, a policy must let the solver's pods in. */
export function certificateFaults(objects: Objects): string[] {
  const open = policiesOf(objects, SOLVER).flatMap(({ ingress = [] }) =>
    ingress.flatMap(({ ports }) => ports),
  );
  if (open.some((one) => one?.port === SOLVER_PORT)) return [];
  return ofKind(objects, 'Ingress')
    .filter(({ metadata }) => metadata.annotations?.['cert-manager.io/cluster-issuer'])
    .map(({ metadata }) => `Ingress ${metadata.name}: nothing lets cert-manager answer for its certificate`);
}

/** Returns the connections of a workload by the URLs in its environment, also from secrets. */
export const connectionsOf = (objects: Objects, caller: Workload) =>
  containersOf(caller.pod).flatMap((container) =>
    [...variablesOf(container, objects)].flatMap(([variable, { text = '' }]) =>
      addressesIn(text).map(({ host, port }) => ({
        what: `${variable} leads to ${host}:${port}`,
        to: calleeOf(objects, host, port),
      })),
    ),
  );

/** Every address in an environment must be a service or database that policies allow. */
export const addressFaults = (objects: Objects): string[] =>
  workloads(objects).flatMap((caller) =>
    connectionsOf(objects, caller).flatMap(({ what, to }) => {
      const way = typeof to === 'string' ? undefined : mayCall(objects, caller, to.callee, to.port);
      const faults = way
        ? [...(way.out ? [] : ['no policy lets it out']), ...(way.in ? [] : ['no policy lets it in'])]
        : [to];
      return faults.map((fault) => `${caller.name}: ${what}, but ${fault}`);
    }),
  );

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

/** Returns the workload behind a name and port and its container port, or the fault. */
function calleeOf(
  objects: Objects,
  host: string,
  port: number | string,
): { callee: Workload; port: number } | string {
  const database = databases(objects).find(({ name }) => `${name}-rw` === host);
  if (database) return port === DATABASE_PORT ? { callee: database, port } : 'the database has no such port';
  const service = ofKind<ServiceSpec>(objects, 'Service').find(({ metadata }) => metadata.name === host);
  if (!service) return 'there is no such service';
  const open = service.spec.ports?.find((one) => one.port === port || one.name === port);
  if (!open) return 'the service has no such port';
  const callee = workloads(objects).find(({ labels }) => isBehind(service, labels));
  if (!callee) return 'the service has no pods';
  const target = containerPort(callee, open.targetPort ?? open.port);
  return target === undefined ? 'its pods have no such port' : { callee, port: target };
}

const DATABASE_PORT = 5432;

/** Returns a workload for each `Cluster`, for which the PostgreSQL operator makes the pods. */
const databases = (objects: Objects): Workload[] =>
  ofKind(objects, 'Cluster').map((object) => ({
    object,
    kind: 'Cluster',
    name: object.metadata.name,
    labels: { 'cnpg.io/cluster': object.metadata.name },
    pod: { containers: [{ name: 'postgres', image: '', ports: [{ containerPort: DATABASE_PORT }] }] },
    isLasting: true,
  }));

/** Returns true if a rule is about this port of a workload. */
export const opens = ({ ports }: Rule, callee: Workload, port: number): boolean =>
  ports?.some((one) => one.port === undefined || containerPort(callee, one.port) === port) ?? true;

/** Returns whether the policies allow the caller's egress, and ingress at this port of the callee. */
export function mayCall(
  objects: Objects,
  caller: Workload,
  callee: Workload,
  port: number,
): { out: boolean; in: boolean } {
  const egress = policiesOf(objects, caller.labels).flatMap((policy) => policy.egress ?? []);
  const ingress = policiesOf(objects, callee.labels).flatMap((policy) => policy.ingress ?? []);
  const names = (peers: Peer[] | undefined, { labels }: Workload): boolean =>
    peers === undefined ||
    peers.some((peer) => peer.podSelector && !peer.namespaceSelector && selects(peer.podSelector, labels));
  return {
    out: egress.some((rule) => opens(rule, callee, port) && names(rule.to, callee)),
    in: ingress.some((rule) => opens(rule, callee, port) && names(rule.from, caller)),
  };
}

type Backend = { service: { name: string; port: { name?: string } } };
type IngressSpec = { rules?: { http?: { paths: { backend: Backend }[] } }[] };

/** Every port that a process, a service, an ingress or a monitor names is open in a container. */
export function portFaults(objects: Objects): string[] {
  const services = ofKind<ServiceSpec>(objects, 'Service');
  const at = (by: string, host: string, port: number | string): string[] => {
    const to = calleeOf(objects, host, port);
    return typeof to === 'string' ? [`${by} ${host}:${port}: ${to}`] : [];
  };
  return [
    ...perContainer(objects, (container, workload) => {
      const variables = variablesOf(container, objects);
      return ['PORT', 'INTERNAL_PORT'].flatMap((name) => {
        const port = variables.get(name)?.text;
        const isOpen = containerPort(workload, Number(port)) !== undefined;
        return port === undefined || isOpen || !workload.isLasting ? [] : [`does not open its ${name}`];
      });
    }),
    ...services.flatMap(({ metadata: { name }, spec: { ports = [] } }) =>
      ports.flatMap(({ port }) => at('Service', name, port)),
    ),
    ...ofKind<IngressSpec>(objects, 'Ingress')
      .flatMap(({ spec: { rules = [] } }) => rules.flatMap(({ http }) => http?.paths ?? []))
      .flatMap(({ backend: { service } }) => at('Ingress', service.name, service.port.name ?? 0)),
    ...ofKind<MonitorSpec>(objects, 'ServiceMonitor').flatMap(({ metadata, spec }) => {
      const read = services.filter((service) => selects(spec.selector, service.metadata.labels ?? {}));
      if (read.length === 0) return [`ServiceMonitor ${metadata.name}: it selects no service`];
      const ports = spec.endpoints?.map(({ port = '' }) => port) ?? [];
      return read.flatMap((service) =>
        ports.flatMap((port) => at('ServiceMonitor', service.metadata.name, port)),
      );
    }),
  ];
}
