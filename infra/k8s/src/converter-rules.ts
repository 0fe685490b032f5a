/** The converter's walls: it reads hostile files, so it has no secret, nobody's account and no way out. */
import { secretsIn } from '@karaar/service-converter/environment';
import { variablesOf } from './env-rules.ts';
import { mayCall, type PolicySpec } from './network-rules.ts';
import { ofKind, selects, workloads, type KubeObject, type Workload } from './objects.ts';

const NAME = 'converter';
/** Who may have files read. */
const CALLER = 'documents';
const PORT = 8080;

export function converterFaults(objects: readonly KubeObject[]): string[] {
  const all = workloads(objects);
  const converter = all.find(({ name }) => name === NAME);
  if (!converter) return ['there is no converter'];
  const others = all.filter((one) => one !== converter);
  return [
    ...secretFaults(converter, objects),
    ...accountFaults(converter, others),
    ...wayFaults(converter, others, objects),
  ].map((fault) => `${NAME}: ${fault}`);
}

function secretFaults({ pod }: Workload, objects: readonly KubeObject[]): string[] {
  const faults: string[] = [];
  for (const container of pod.containers) {
    const variables = variablesOf(container, objects);
    const fromSecrets = (container.env ?? []).filter(({ valueFrom }) => valueFrom?.secretKeyRef);
    const named = secretsIn(
      Object.fromEntries([...variables].map(([name, value]) => [name, value ?? 'secret'])),
    );
    const given = [...variables].filter(([, value]) => value === undefined).map(([name]) => name);
    const held = new Set([...named, ...given, ...fromSecrets.map(({ name }) => name)]);
    for (const { secretRef } of container.envFrom ?? [])
      if (secretRef) faults.push(`it is given the secret ${secretRef.name}`);
    for (const name of held) faults.push(`it is given ${name}, which is or looks like a secret`);
  }
  for (const { name, secret } of pod.volumes ?? [])
    if (secret) faults.push(`its volume ${name} is the secret ${secret.secretName}`);
  return faults;
}

function accountFaults({ pod }: Workload, others: readonly Workload[]): string[] {
  const faults: string[] = [];
  const account = pod.securityContext?.runAsUser;
  if (account === undefined) faults.push('it has no user id of its own');
  for (const { name, pod: other } of others)
    if (account !== undefined && other.securityContext?.runAsUser === account)
      faults.push(`it shares its user id with ${name}`);
  for (const { name, pod: other } of others)
    if (other.serviceAccountName === pod.serviceAccountName)
      faults.push(`it shares its account of the cluster with ${name}`);
  if (pod.automountServiceAccountToken !== false) faults.push('it is given a token of the cluster');
  return faults;
}

function wayFaults(
  converter: Workload,
  others: readonly Workload[],
  objects: readonly KubeObject[],
): string[] {
  const faults: string[] = [];
  for (const { metadata, spec } of ofKind<PolicySpec>(objects, 'NetworkPolicy'))
    if (selects(spec.podSelector, converter.labels) && spec.egress?.length)
      faults.push(`the policy ${metadata.name} lets it out`);
  for (const other of others)
    if (mayCall(objects, other, converter, PORT).in !== (other.name === CALLER))
      faults.push(other.name === CALLER ? `${CALLER} cannot reach it` : `${other.name} may have files read`);
  return faults;
}
