/** Which secrets services have in common: those of an edge between two of them, and those of a provider. */
import { ofKind, workloads, type KubeObject } from './objects.ts';

type StoreSpec = { data?: { remoteRef: { key: string; property?: string } }[] };

/** Store entries that are made to be shared: of edges, each by its two ends, and the account at the text message provider. */
const SHARED = new Set(['edges', 'sms']);

/** Whoever takes one service over has what its secret holds, and nothing of another service's. */
export function sharingFaults(objects: readonly KubeObject[]): string[] {
  const given = new Set(
    workloads(objects)
      .filter(({ kind }) => kind === 'Deployment')
      .flatMap(({ pod }) => pod.containers)
      .flatMap(({ envFrom = [] }) => envFrom.map(({ secretRef }) => secretRef?.name)),
  );
  const holders = new Map<string, string[]>();
  for (const { metadata, spec } of ofKind<StoreSpec>(objects, 'ExternalSecret'))
    // The sandbox stands for the providers, and so has what they have.
    if (given.has(metadata.name) && metadata.name !== 'sandbox')
      for (const { remoteRef } of spec.data ?? []) {
        const entry = `${remoteRef.key}/${remoteRef.property ?? ''}`;
        if (!SHARED.has(remoteRef.key)) holders.set(entry, [...(holders.get(entry) ?? []), metadata.name]);
      }
  return [...holders]
    .filter(([, names]) => names.length > 1)
    .map(([entry, names]) => `${names.join(' and ')} have the same secret: ${entry} of the store`);
}
