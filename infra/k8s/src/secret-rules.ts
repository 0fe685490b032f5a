/** Secrets that two services may share: service credentials, and the account at the SMS provider. */
import { serviceCredentials } from '@karaar/contracts/internal';
import { externalSecrets, workloads, type Objects } from './objects.ts';

const SHARED = new Set(['service-credentials', 'sms']);

/** Services must not share secrets, so that an attacker in one service gets no secret of another. */
export function sharingFaults(objects: Objects): string[] {
  const given = new Set(
    workloads(objects)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ pod }) => pod.containers)
      .flatMap(({ envFrom = [] }) => envFrom.map(({ secretRef }) => secretRef?.name)),
  );
  // The sandbox stands in for the providers and has their secrets.
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

/** Only the caller and the callee have a service credential, both from the same entry of the store. */
export const credentialFaults = (objects: Objects): string[] =>
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
