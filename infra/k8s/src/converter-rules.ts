/** The converter reads hostile files, so it has no secret, no shared account and no network egress. */
import { secretsIn } from '@karaar/converting/environment';
import { variablesOf } from './env-rules.ts';
import { mayCall, type PolicySpec } from './network-rules.ts';
import { ofKind, selects, workloads, type Objects, type Workload } from './objects.ts';

const NAME = 'converter';
/** The only workload that may call it. */
const CALLER = 'documents';
const PORT = 8080;

export function converterFaults(objects: Objects): string[] {
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

function secretFaults({ pod }: Workload, objects: Objects): string[] {
  const given = pod.containers.flatMap((container) => {
    const variables = [...variablesOf(container, objects)];
    const texts = Object.fromEntries(variables.map(([name, value]) => [name, value ?? 'secret']));
    const fetched = variables.filter(([, value]) => value === undefined).map(([name]) => name);
    return [
      ...(container.envFrom ?? []).flatMap(({ secretRef }) =>
        secretRef ? [`the secret ${secretRef.name}`] : [],
      ),
      ...[...new Set([...secretsIn(texts), ...fetched])].map(
        (name) => `${name}, which is or looks like a secret`,
      ),
    ];
  });
  const mounted = (pod.volumes ?? []).flatMap(({ name, secret }) =>
    secret ? [`its volume ${name} is the secret ${secret.secretName}`] : [],
  );
  return [...given.map((what) => `it gets ${what}`), ...mounted];
}

function accountFaults({ pod }: Workload, others: readonly Workload[]): string[] {
  const account = pod.securityContext?.runAsUser;
  const like = (isLike: (other: Workload) => boolean, what: string): string[] =>
    others.filter(isLike).map(({ name }) => `it shares its ${what} with ${name}`);
  return [
    ...(account === undefined
      ? ['it has no user id of its own']
      : like((other) => other.pod.securityContext?.runAsUser === account, 'user id')),
    ...like((other) => other.pod.serviceAccountName === pod.serviceAccountName, 'account of the cluster'),
    ...(pod.automountServiceAccountToken === false ? [] : ['it gets a token of the cluster']),
  ];
}

function wayFaults(converter: Workload, others: readonly Workload[], objects: Objects): string[] {
  const faults: string[] = [];
  for (const { metadata, spec } of ofKind<PolicySpec>(objects, 'NetworkPolicy'))
    if (selects(spec.podSelector, converter.labels) && spec.egress?.length)
      faults.push(`the policy ${metadata.name} lets it out`);
  for (const other of others)
    if (mayCall(objects, other, converter, PORT).in !== (other.name === CALLER))
      faults.push(other.name === CALLER ? `${CALLER} cannot reach it` : `${other.name} can reach it`);
  return faults;
}
