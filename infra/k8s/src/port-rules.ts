/** Every port that an object names is open in a container, and every selector matches. */
import { variablesOf } from './env-rules.ts';
import { containerPort, type PolicySpec } from './network-rules.ts';
import {
  ofKind,
  perContainer,
  probesOf,
  selects,
  workloads,
  type Objects,
  type MonitorSpec,
  type ServiceSpec,
} from './objects.ts';

type IngressSpec = {
  rules?: {
    http?: { paths: { backend: { service: { name: string; port: { name?: string; number?: number } } } }[] };
  }[];
};

export const portFaults = (objects: Objects): string[] =>
  [probeFaults, serviceFaults, ingressFaults, monitorFaults, policyPortFaults].flatMap((faults) =>
    faults(objects),
  );

const probeFaults = (objects: Objects): string[] =>
  perContainer(objects, (container, workload) => {
    const own = { ...workload, pod: { ...workload.pod, containers: [container] } };
    const faults = probesOf(container)
      .flatMap(({ httpGet }) => httpGet?.port ?? [])
      .filter((port) => containerPort(own, port) === undefined)
      .map((port) => `a probe asks port ${port}, which it does not open`);
    const told = variablesOf(container, objects).get('PORT');
    if (workload.isLasting && told !== undefined && containerPort(own, Number(told)) === undefined)
      faults.push(`PORT is ${told}, which it does not open`);
    return faults;
  });

function serviceFaults(objects: Objects): string[] {
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

function ingressFaults(objects: Objects): string[] {
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

function monitorFaults(objects: Objects): string[] {
  const services = ofKind<ServiceSpec>(objects, 'Service');
  return ofKind<MonitorSpec>(objects, 'ServiceMonitor').flatMap(({ metadata, spec }) => {
    const seen = services.filter((service) => selects(spec.selector, service.metadata.labels ?? {}));
    if (seen.length === 0) return [`ServiceMonitor ${metadata.name}: it selects no service`];
    return (spec.endpoints ?? [])
      .filter(({ port }) => !seen.every((service) => service.spec.ports?.some(({ name }) => name === port)))
      .map(({ port }) => `ServiceMonitor ${metadata.name}: no port ${port}`);
  });
}

/** A named port of an ingress rule must exist on the selected pods; otherwise the rule has no effect. */
function policyPortFaults(objects: Objects): string[] {
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
