/** Which workloads have an internal port, and which may reach it. */
import { connectionsOf, mayCall, opens, policiesOf, type Peer } from './network-rules.ts';
import {
  containerPort,
  ofKind,
  probesOf,
  selects,
  servicesOf,
  variablesOf,
  workloads,
  type MonitorSpec,
  type Objects,
  type Workload,
} from './objects.ts';

export const innerFaults = (objects: Objects): string[] =>
  workloads(objects)
    .filter(({ isLasting }) => isLasting)
    .flatMap((workload) =>
      workload.pod.containers.flatMap((container) => {
        const { text } = variablesOf(container, objects).get('INTERNAL_PORT') ?? {};
        return text === undefined ? [] : faultsAt(workload, Number(text), objects);
      }),
    );

function faultsAt(workload: Workload, port: number, objects: Objects): string[] {
  const { name, pod, labels } = workload;
  const isProbed = pod.containers
    .flatMap(probesOf)
    .some(({ httpGet }) => httpGet && containerPort(workload, httpGet.port) === port);
  const isOpen = policiesOf(objects, labels)
    .flatMap(({ ingress = [] }) => ingress)
    .filter((rule) => opens(rule, workload, port))
    .some(({ from }) => !from?.every(isNamed));
  const strangers = workloads(objects).filter(
    (other) =>
      !connectionsOf(objects, other).some(
        ({ to }) => typeof to === 'object' && to.callee.name === name && to.port === port,
      ),
  );
  return [
    ...(isProbed ? [`${name}: a probe asks the internal port`] : []),
    ...(isMonitored(workload, port, objects)
      ? []
      : [`${name}: no ServiceMonitor reads the metrics at its internal port`]),
    ...(isOpen ? [`${name}: its internal port is open to more than named pods`] : []),
    ...strangers.flatMap((other) => {
      const way = mayCall(objects, other, workload, port);
      const verb = way.in ? 'in at' : 'out to';
      return way.in || way.out
        ? [`${other.name} is let ${verb} the internal port of ${name} and does not get its URL`]
        : [];
    }),
  ];
}

/** Only Prometheus may call from another namespace. */
const isNamed = ({ podSelector, namespaceSelector }: Peer): boolean =>
  podSelector !== undefined &&
  (namespaceSelector === undefined ||
    (podSelector.matchLabels?.['app.kubernetes.io/name'] === 'prometheus' &&
      namespaceSelector.matchLabels?.['kubernetes.io/metadata.name'] === 'monitoring'));

function isMonitored(workload: Workload, port: number, objects: Objects): boolean {
  const monitors = ofKind<MonitorSpec>(objects, 'ServiceMonitor');
  return servicesOf(objects, workload.labels).some(({ metadata, spec }) => {
    const read = monitors
      .filter((monitor) => selects(monitor.spec.selector, metadata.labels ?? {}))
      .flatMap((monitor) => monitor.spec.endpoints?.map((endpoint) => endpoint.port) ?? []);
    return spec.ports?.some(
      (one) => read.includes(one.name) && containerPort(workload, one.targetPort ?? one.port) === port,
    );
  });
}
