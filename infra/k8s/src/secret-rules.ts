/** Which secrets services have in common: the service credentials between two of them, and those of a provider. */
import { serviceCredentials } from '@karaar/contracts/internal';
import { externalSecrets, workloads, type KubeObject } from './objects.ts';

/**
 * Store entries that are made to be shared: service credentials, each by its two ends, and the account at the text
 * message provider.
 */
const SHARED = new Set(['service-credentials', 'sms']);

/** Whoever takes one service over has what its secret holds, and nothing of another service's. */
export function sharingFaults(objects: readonly KubeObject[]): string[] {
  const given = new Set(
    workloads(objects)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ pod }) => pod.containers)
      .flatMap(({ envFrom = [] }) => envFrom.map(({ secretRef }) => secretRef?.name)),
  );
  // The sandbox stands for the providers, and so has what they have.
  const held = externalSecrets(objects)
    .filter(({ name }) => given.has(name) && name !== 'sandbox')
    .flatMap(({ name, fetched }) => fetched.map((one) => ({ name, ...one })))
    .filter(({ entry }) => !SHARED.has(entry));
  return Object.entries(Object.groupBy(held, ({ entry, property }) => `${entry}/${property}`)).flatMap(
    ([entry, holders = []]) =>
      holders.length > 1
        ? [`${holders.map(({ name }) => name).join(' and ')} have the same secret: ${entry} of the store`]
        : [],
  );
}

/** A service credential is at its two ends, from one entry of the store, and nowhere else. */
export const credentialFaults = (objects: readonly KubeObject[]): string[] =>
  serviceCredentials.flatMap(({ caller, callee, variable }) => {
    const holders = externalSecrets(objects).flatMap(({ name, fetched }) =>
      fetched.filter(({ key }) => key === variable).map((one) => ({ name, ...one })),
    );
    const without = [caller, callee].filter((end) => !holders.some(({ name }) => name === end));
    const others = holders.filter(({ name }) => name !== caller && name !== callee);
    const entries = new Set(holders.map(({ entry, property }) => `${entry}/${property}`));
    return [
      ...without.map((end) => `${variable}: ${end} does not have it`),
      ...others.map(({ name }) => `${variable}: ${name} has it and is not an end of this service credential`),
      ...(entries.size > 1 ? [`${variable}: its ends take it from different entries`] : []),
    ];
  });
