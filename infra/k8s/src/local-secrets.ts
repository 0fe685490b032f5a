/**
 * `npm run --silent k8s:local-secrets | kubectl apply -f -`: the secrets of a cluster on one's own machine, freshly
 * made, in a namespace beside the product, and the right of the product's store to read them.
 */
import { fileURLToPath } from 'node:url';
import { makeEntries, sandboxValues } from '@karaar/ops/secrets/entries';
import { kubernetesStore } from '@karaar/ops/secrets/kubernetes';
import { stringify } from 'yaml';

/** Objects for `kubectl apply`: every entry that the overlay's ExternalSecrets name. */
export const localSecrets = (): Record<string, unknown>[] =>
  kubernetesStore(makeEntries('karaar.localhost', sandboxValues(), 'development').entries);

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(
    localSecrets()
      .map((object) => stringify(object))
      .join('---\n'),
  );
