/** `npm run --silent k8s:local-secrets | kubectl apply -f -`: prints fresh secrets for a local cluster. */
import { makeEntries, sandboxValues } from '@karaar/ops/secrets/entries';
import { kubernetesStore } from '@karaar/ops/secrets/kubernetes';

const { entries } = makeEntries('karaar.localhost', sandboxValues(), 'development');
process.stdout.write(kubernetesStore(entries));
