/** Every workload has a network policy, and policies allow exactly the connections of the environments. */
import {
  containerPort,
  containersOf,
  isEmptySelector,
  ofKind,
  perContainer,
  selects,
  variablesOf,
  workloads,
  type KubeObject,
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
  ofKind<PolicySpec>(objects, 'NetworkPolicy').map(({ metadata: { name }, spec }) => ({ name, ...spec }));

/** Returns the policies for pods with these labels. */
export const policiesOf = (objects: Objects, labels: Workload['labels']) =>
  policies(objects).filter(({ podSelector }) => selects(podSelector, labels));

/** Returns those that are not for all pods. */
const ownPoliciesOf = (objects: Objects, labels: Workload['labels']) =>
  policiesOf(objects, labels).filter(({ podSelector }) => !isEmptySelector(podSelector));

const DIRECTIONS = ['Ingress', 'Egress'];

/** A default policy denies everything, and each workload has its own policies for both directions. */
export function policyFaults(objects: Objects): string[] {
  const deniesAll = policies(objects).some(
    ({ podSelector, policyTypes, ingress = [], egress = [] }) =>
      isEmptySelector(podSelector) &&
      DIRECTIONS.every((type) => policyTypes?.includes(type)) &&
      ingress.length + egress.length === 0,
  );
  const faults = workloads(objects).flatMap((workload) => {
    const own = ownPoliciesOf(objects, workload.labels);
    const missing = DIRECTIONS.filter((type) => !own.some(({ policyTypes }) => policyTypes?.includes(type)));
    const unknown = own
      .flatMap(({ ingress = [] }) => ingress.flatMap(({ ports = [] }) => ports))
      .filter(({ port }) => typeof port === 'string' && containerPort(workload, port) === undefined);
    return [
      ...missing.map((type) => `${workload.name}: no NetworkPolicy of its own for ${type}`),
      ...unknown.map(({ port }) => `${workload.name}: has no port ${port}, which its policy names`),
    ];
  });
  return [...(deniesAll ? [] : ['no NetworkPolicy denies all traffic']), ...faults];
}

/** The label and port of the pods with which cert-manager answers ACME challenges. */
const SOLVER = { 'acme.cert-manager.io/http01-solver': 'true' };
const SOLVER_PORT = 8089;

/** If an Ingress gets its certificate by ACME, a policy must let the solver's pods in. */
export function certificateFaults(objects: Objects): string[] {
  const rules = ownPoliciesOf(objects, SOLVER).flatMap(({ ingress = [] }) => ingress);
  if (rules.some(({ ports }) => ports?.some(({ port }) => port === SOLVER_PORT))) return [];
  return ofKind(objects, 'Ingress')
    .filter(({ metadata }) => metadata.annotations?.['cert-manager.io/cluster-issuer'])
    .map(({ metadata }) => `Ingress ${metadata.name}: nothing lets cert-manager answer for its certificate`);
}

/** Returns the connections of a workload by the URLs in its environment, also from secrets. */
export const connectionsOf = (objects: Objects, caller: Workload) =>
  containersOf(caller.pod).flatMap((container) =>
    [...variablesOf(container, objects)].flatMap(([variable, { text = '' }]) =>
      addressesIn(text).map((address) => {
        const [host = '', port] = address.split(':');
        return { what: `${variable} leads to ${address}`, to: calleeOf(objects, host, Number(port)) };
      }),
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
const OWN_POD = 'localhost:';
/** Sentinels return the addresses of members, which listen on this port. */
const MEMBER_PORT = 6379;

/** Returns each `host:port` in one or several URLs; a member of a StatefulSet counts as its service. */
function addressesIn(text: string): string[] {
  const scheme = /^([a-z+]+):\/\//.exec(text)?.[1];
  if (scheme === undefined) return [];
  const found = [...text.matchAll(/[/@,](?:[a-z-]+-\d+\.)?([a-z-]+):(\d+)/g)].flatMap(([, host, port]) =>
    (scheme === 'redis+sentinel' ? [port, MEMBER_PORT] : [port]).map((one) => `${host}:${one}`),
  );
  return [...new Set(found)].filter((address) => !address.startsWith(OWN_POD));
}

const DATABASE_PORT = 5432;

/** Returns the pods that the PostgreSQL operator makes for a `Cluster`. */
const podsOf = (object: KubeObject): Workload => ({
  object,
  kind: 'Cluster',
  name: object.metadata.name,
  labels: { 'cnpg.io/cluster': object.metadata.name },
  pod: { containers: [{ name: 'postgres', image: '', ports: [{ containerPort: DATABASE_PORT }] }] },
  isLasting: true,
});

/** A port of a workload, or the reason why an address does not lead to one. */
export type Target = { callee: Workload; port: number } | string;

/** Returns the workload behind a name and port and its container port, or the fault. */
function calleeOf(objects: Objects, host: string, port: number | string): Target {
  const database = ofKind(objects, 'Cluster').find(({ metadata }) => `${metadata.name}-rw` === host);
  if (database)
    return port === DATABASE_PORT ? { callee: podsOf(database), port } : 'the database has no such port';
  const service = ofKind<ServiceSpec>(objects, 'Service').find(({ metadata }) => metadata.name === host);
  if (!service) return 'there is no such service';
  const open = service.spec.ports?.find((one) => one.port === port || one.name === port);
  if (!open) return 'the service has no such port';
  const { selector } = service.spec;
  const [callee, ...others] = workloads(objects).filter(
    ({ labels }) => selector && selects({ matchLabels: selector }, labels),
  );
  if (!callee || others.length > 0) return 'the service does not select the pods of one workload';
  const target = containerPort(callee, open.targetPort ?? open.port);
  return target === undefined ? 'its pods have no such port' : { callee, port: target };
}

/** Returns true if a rule is about this port of a workload. Without ports a rule is about all. */
export const opens = ({ ports }: Rule, callee: Workload, port: number): boolean =>
  !ports?.length || ports.some((one) => one.port === undefined || containerPort(callee, one.port) === port);

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
    !peers?.length ||
    peers.some((peer) => peer.podSelector && !peer.namespaceSelector && selects(peer.podSelector, labels));
  return {
    out: egress.some((rule) => opens(rule, callee, port) && names(rule.to, callee)),
    in: ingress.some((rule) => opens(rule, callee, port) && names(rule.from, caller)),
  };
}

type Backend = { service: { name: string; port: { name?: string } } };
type IngressSpec = { rules?: { http?: { paths: { backend: Backend }[] } }[] };

/** Returns the targets of each monitor. */
export const monitored = (objects: Objects): { name: string; to: Target }[] =>
  ofKind<MonitorSpec>(objects, 'ServiceMonitor').flatMap(({ metadata: { name }, spec }) => {
    const targets = ofKind(objects, 'Service')
      .filter(({ metadata: { labels = {} } }) => selects(spec.selector, labels))
      .flatMap(({ metadata }) =>
        (spec.endpoints ?? []).map(({ port = '' }) => calleeOf(objects, metadata.name, port)),
      );
    return (targets.length > 0 ? targets : ['it selects no service']).map((to) => ({ name, to }));
  });

/** Every port that a process, a service, an ingress or a monitor names is open in a container. */
export function portFaults(objects: Objects): string[] {
  const of = (by: string, to: Target): string[] => (typeof to === 'string' ? [`${by}: ${to}`] : []);
  return [
    ...perContainer(objects, (container, workload) => {
      const variables = variablesOf(container, objects);
      return ['PORT', 'INTERNAL_PORT'].flatMap((name) => {
        const port = variables.get(name)?.text;
        const isOpen = containerPort(workload, Number(port)) !== undefined;
        return port === undefined || isOpen || !workload.isLasting ? [] : [`does not open its ${name}`];
      });
    }),
    ...ofKind<ServiceSpec>(objects, 'Service').flatMap(({ metadata: { name }, spec: { ports = [] } }) =>
      ports.flatMap(({ port }) => of(`Service ${name}:${port}`, calleeOf(objects, name, port))),
    ),
    ...ofKind<IngressSpec>(objects, 'Ingress')
      .flatMap(({ spec: { rules = [] } }) => rules.flatMap(({ http }) => http?.paths ?? []))
      .flatMap(({ backend: { service } }) =>
        of(`Ingress to ${service.name}`, calleeOf(objects, service.name, service.port.name ?? 0)),
      ),
    ...monitored(objects).flatMap(({ name, to }) => of(`ServiceMonitor ${name}`, to)),
  ];
}
