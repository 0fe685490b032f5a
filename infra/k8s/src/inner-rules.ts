/** Which workloads have an internal port, and which may reach it. */
import { variablesOf } from './env-rules.ts';
import { containerPort, mayCall, type Peer, type PolicySpec } from './network-rules.ts';
import {
  ofKind,
  probesOf,
  selects,
  workloads,
  type Objects,
  type MonitorSpec,
  type ServiceSpec,
  type Workload,
} from './objects.ts';

export function innerFaults(objects: Objects): string[] {
  return workloads(objects).flatMap((workload) => {
    const port = innerPort(workload, objects);
    return port === undefined ? [] : portFaults(workload, port, objects);
  });
}

function innerPort({ pod, isLasting }: Workload, objects: Objects): number | undefined {
  if (!isLasting) return undefined;
  const told = pod.containers.map((container) => variablesOf(container, objects).get('INTERNAL_PORT'));
  const port = told.find((one) => one !== undefined);
  return port === undefined ? undefined : Number(port);
}

function portFaults(workload: Workload, port: number, objects: Objects): string[] {
  const { name, pod, labels } = workload;
  const faults: string[] = [];
  if (containerPort(workload, port) === undefined)
    return [`${name}: INTERNAL_PORT is ${port}, which it does not open`];
  for (const { httpGet } of pod.containers.flatMap(probesOf))
    if (httpGet && containerPort(workload, httpGet.port) === port)
      faults.push(`${name}: a probe asks the internal port`);
  if (!isMonitored(workload, port, objects))
    faults.push(`${name}: no ServiceMonitor reads the metrics at its internal port`);
  for (const other of workloads(objects)) {
    const way = mayCall(objects, other, workload, port);
    if ((!way.out && !way.in) || hasAddress(other, labels, objects)) continue;
    faults.push(
      `${other.name} is let ${way.in ? 'in at' : 'out to'} the internal port of ${name} and does not get its URL`,
    );
  }
  for (const { spec } of ofKind<PolicySpec>(objects, 'NetworkPolicy'))
    if (selects(spec.podSelector, labels))
      for (const { from, ports } of spec.ingress ?? []) {
        const isOpen =
          !ports || ports.some((one) => one.port === undefined || containerPort(workload, one.port) === port);
        const isNamed = from?.every(
          (peer) => peer.podSelector && (!peer.namespaceSelector || isPrometheus(peer)),
        );
        if (isOpen && !isNamed) faults.push(`${name}: its internal port is open to more than named pods`);
      }
  return faults;
}

const isPrometheus = ({ podSelector, namespaceSelector }: Peer) =>
  podSelector?.matchLabels?.['app.kubernetes.io/name'] === 'prometheus' &&
  namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] === 'monitoring';

function servicesOf(labels: Workload['labels'], objects: Objects) {
  return ofKind<ServiceSpec>(objects, 'Service').filter(({ spec }) =>
    selects({ matchLabels: spec.selector ?? { none: 'selected' } }, labels),
  );
}

function isMonitored(workload: Workload, port: number, objects: Objects): boolean {
  const monitors = ofKind<MonitorSpec>(objects, 'ServiceMonitor');
  return servicesOf(workload.labels, objects).some(({ metadata, spec }) =>
    monitors
      .filter((monitor) => selects(monitor.spec.selector, metadata.labels ?? {}))
      .flatMap((monitor) => monitor.spec.endpoints ?? [])
      .some((endpoint) => {
        const open = spec.ports?.find((one) => one.name === endpoint.port);
        return open?.targetPort !== undefined && containerPort(workload, open.targetPort) === port;
      }),
  );
}

/** Returns true if a process gets the URL of an internal port of these pods. */
function hasAddress(caller: Workload, labels: Workload['labels'], objects: Objects): boolean {
  const names = servicesOf(labels, objects).map(({ metadata }) => metadata.name);
  return caller.pod.containers.some((container) =>
    [...variablesOf(container, objects)].some(
      ([variable, value]) =>
        variable.endsWith('_INTERNAL_URL') && names.some((name) => value?.startsWith(`http://${name}:`)),
    ),
  );
}
