/** The converter reads hostile files, so it has no secret, no shared account and no network egress. */
import { secretsIn } from '@karaar/converting/environment';
import { mayCall, policiesOf } from './network-rules.ts';
import { secretsOf, variablesOf, workloads, type Objects, type Workload } from './objects.ts';

const NAME = 'converter';
/** The only workload that may call it. */
const CALLER = 'documents';
const PORT = 8080;

export function converterFaults(objects: Objects): string[] {
  const all = workloads(objects);
  const converter = all.find(({ name }) => name === NAME);
  if (!converter) return ['there is no converter'];
  const others = all.filter((one) => one !== converter);
  const { pod, labels } = converter;
  const account = pod.securityContext?.runAsUser;
  const sharing = (what: string, isLike: (other: Workload) => boolean): string[] =>
    others.filter(isLike).map(({ name }) => `it shares its ${what} with ${name}`);
  return [
    ...givenSecrets(converter, objects).map((what) => `it gets ${what}`),
    ...(account === undefined ? ['it has no user id of its own'] : []),
    ...sharing(
      'user id',
      (other) => account !== undefined && other.pod.securityContext?.runAsUser === account,
    ),
    ...sharing('account of the cluster', (other) => other.pod.serviceAccountName === pod.serviceAccountName),
    ...(pod.automountServiceAccountToken === false ? [] : ['it gets a token of the cluster']),
    ...policiesOf(objects, labels)
      .filter(({ egress }) => egress?.length)
      .map(({ name }) => `the policy ${name} lets it out`),
    ...others
      .filter((other) => mayCall(objects, other, converter, PORT).in !== (other.name === CALLER))
      .map(({ name }) => `${name} ${name === CALLER ? 'cannot' : 'can'} reach it`),
  ].map((fault) => `${NAME}: ${fault}`);
}

function givenSecrets({ pod }: Workload, objects: Objects): string[] {
  const refs = [
    ...pod.containers.flatMap(secretsOf),
    ...(pod.volumes ?? []).flatMap(({ secret }) => secret?.secretName ?? []),
  ];
  const variables = pod.containers.flatMap((container) => [...variablesOf(container, objects)]);
  const suspect = secretsIn(
    Object.fromEntries(variables.map(([name, { text }]) => [name, text ?? 'secret'])),
  );
  const named = variables.filter(([name, { isSecret }]) => isSecret || suspect.includes(name));
  return [
    ...refs.map((name) => `the secret ${name}`),
    ...named.map(([name]) => `${name}, which is or looks like a secret`),
  ];
}
