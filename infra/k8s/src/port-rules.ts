/** Every port that is named somewhere is one that a container opens, and every name leads to something. */
import { environmentPort } from './workload-rules.ts';
import { containerPort, type PolicySpec } from './network-rules.ts';
import { ofKind, selects, workloads, type KubeObject, type Selector, type Workload } from './objects.ts';

type ServiceSpec = {
  selector?: Record<string, string>;
  ports?: { name?: string; port: number; targetPort?: string | number }[];
};
type IngressSpec = {
  rules?: {
    http?: { paths: { backend: { service: { name: string; port: { name?: string; number?: number } } } }[] };
  }[];
};
type MonitorSpec = { selector: Selector; endpoints?: { port?: string }[] };

export function portFaults(objects: readonly KubeObject[]): string[] {
  return [
    ...workloads(objects).flatMap((workload) => probeFaults(workload, objects)),
    ...serviceFaults(objects),
    ...ingressFaults(objects),
    ...monitorFaults(objects),
    ...policyPortFaults(objects),
  ];
}

function probeFaults(workload: Workload, objects: readonly KubeObject[]): string[] {
  const faults: string[] = [];
  for (const container of workload.pod.containers) {
    const own = { ...workload, pod: { ...workload.pod, containers: [container] } };
    for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) {
      const port = probe?.httpGet?.port;
      if (port !== undefined && containerPort(own, port) === undefined)
        faults.push(`${workload.name}/${container.name}: a probe asks port ${port}, which it does not open`);
    }
    const told = environmentPort(container, objects);
    if (workload.isLasting && told !== undefined && containerPort(own, told) === undefined)
      faults.push(`${workload.name}/${container.name}: PORT is ${told}, which is none of its ports`);
  }
  return faults;
}

function serviceFaults(objects: readonly KubeObject[]): string[] {
  return ofKind<ServiceSpec>(objects, 'Service').flatMap(({ metadata, spec }) => {
    const behind = workloads(objects).filter(({ labels }) =>
      selects({ matchLabels: spec.selector ?? {} }, labels),
    );
    if (behind.length === 0) return [`Service ${metadata.name}: it selects no pods`];
    return behind.flatMap((workload) =>
      (spec.ports ?? [])
        .filter(({ port, targetPort }) => containerPort(workload, targetPort ?? port) === undefined)
        .map(
          ({ port, targetPort }) =>
            `Service ${metadata.name}: ${workload.name} has no port ${targetPort ?? port}`,
        ),
    );
  });
}

function ingressFaults(objects: readonly KubeObject[]): string[] {
  const services = ofKind<ServiceSpec>(objects, 'Service');
  return ofKind<IngressSpec>(objects, 'Ingress').flatMap(({ metadata, spec }) =>
    (spec.rules ?? [])
      .flatMap(({ http }) => http?.paths ?? [])
      .filter(({ backend: { service } }) => {
        const behind = services.find((one) => one.metadata.name === service.name);
        const { name, number } = service.port;
        return !behind?.spec.ports?.some((one) => one.name === name || one.port === number);
      })
      .map(({ backend }) => `Ingress ${metadata.name}: ${backend.service.name} has no such port`),
  );
}

function monitorFaults(objects: readonly KubeObject[]): string[] {
  const services = ofKind<ServiceSpec>(objects, 'Service');
  return ofKind<MonitorSpec>(objects, 'ServiceMonitor').flatMap(({ metadata, spec }) => {
    const seen = services.filter((service) => selects(spec.selector, service.metadata.labels ?? {}));
    if (seen.length === 0) return [`ServiceMonitor ${metadata.name}: it selects no service`];
    return (spec.endpoints ?? [])
      .filter(({ port }) => !seen.every((service) => service.spec.ports?.some(({ name }) => name === port)))
      .map(({ port }) => `ServiceMonitor ${metadata.name}: no port ${port}`);
  });
}

/** A named port in a policy exists on the pods it is about (ingress), else the rule opens nothing. */
function policyPortFaults(objects: readonly KubeObject[]): string[] {
  return ofKind<PolicySpec>(objects, 'NetworkPolicy').flatMap(({ metadata, spec }) => {
    const about = workloads(objects).filter(({ labels }) => selects(spec.podSelector, labels));
    const named = (spec.ingress ?? []).flatMap(({ ports = [] }) => ports).map(({ port }) => port);
    return about.flatMap((workload) =>
      named
        .filter((port) => typeof port === 'string' && containerPort(workload, port) === undefined)
        .map((port) => `NetworkPolicy ${metadata.name}: ${workload.name} has no port ${port}`),
    );
  });
}
