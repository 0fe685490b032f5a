/** Secrets that two services may share: service credentials, and the account at the SMS provider. */
import { serviceCredentials } from '@karaar/contracts/internal';
import { externalSecrets, secretsOf, workloads, type Objects } from './objects.ts';

const SHARED = /^(service-credentials|sms)\//;

const fetchedSecrets = (objects: Objects) =>
  externalSecrets(objects).flatMap(({ name, fetched }) => fetched.map((one) => ({ name, ...one })));

/** Services must not share secrets, so that an attacker in one service gets no secret of another. */
export function sharingFaults(objects: Objects): string[] {
  const given = workloads(objects)
    .filter(({ kind }) => kind === 'Deployment')
    .flatMap(({ pod }) => pod.containers.flatMap(secretsOf));
  const held = fetchedSecrets(objects)
    // The sandbox replaces the providers and has their secrets.
    .filter(({ name, entry }) => given.includes(name) && name !== 'sandbox' && !SHARED.test(entry));
  return [...Map.groupBy(held, ({ entry }) => entry)]
    .filter(([, holders]) => holders.length > 1)
    .map(([entry, holders]) => {
      const names = holders.map(({ name }) => name).join(' and ');
      return `${names} have the same secret: ${entry} of the store`;
    });
}

/** Only the caller and the callee have a service credential, both from the same entry of the store. */
export const credentialFaults = (objects: Objects): string[] =>
  serviceCredentials.flatMap(({ caller, callee, variable }) => {
    const holders = fetchedSecrets(objects).filter(({ key }) => key === variable);
    const names = holders.map(({ name }) => name);
    const ends: string[] = [caller, callee];
    return [
      ...ends.filter((end) => !names.includes(end)).map((end) => `${variable}: ${end} does not have it`),
      ...names
        .filter((name) => !ends.includes(name))
        .map((name) => `${variable}: ${name} has it and is not an end of this service credential`),
      ...(new Set(holders.map(({ entry }) => entry)).size > 1
        ? [`${variable}: its ends take it from different entries`]
        : []),
    ];
  });
