/** Which workloads have an internal port, and which may reach it. */
import {
  connectionsOf,
  mayCall,
  monitored,
  opens,
  policiesOf,
  type Peer,
  type Target,
} from './network-rules.ts';
import { containerPort, probesOf, variablesOf, workloads, type Objects, type Workload } from './objects.ts';

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
    .some(({ from }) => !from?.length || !from.every(isNamed));
  const leadsHere = ({ to }: { to: Target }): boolean =>
    typeof to === 'object' && to.callee.name === name && to.port === port;
  const strangers = workloads(objects).filter((other) => !connectionsOf(objects, other).some(leadsHere));
  return [
    ...(isProbed ? [`${name}: a probe asks the internal port`] : []),
    ...(monitored(objects).some(leadsHere)
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
