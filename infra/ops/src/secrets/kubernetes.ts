import { stringify } from 'yaml';
import type { Entries } from './entries.ts';

const NAMESPACE = 'karaar-secrets';

/** Returns YAML: a namespace, a Secret per entry, and the right of the product's SecretStore to read them. */
export function kubernetesStore(entries: Entries): string {
  const inNamespace = (name: string) => ({ name, namespace: NAMESPACE });
  const objects = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    ...Object.entries(entries).map(([name, stringData]) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: inNamespace(name),
      type: 'Opaque',
      stringData,
    })),
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: inNamespace('store'),
      rules: [
        { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectrulesreviews'], verbs: ['create'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: inNamespace('store'),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'store' },
      subjects: [{ kind: 'ServiceAccount', name: 'secrets', namespace: 'karaar' }],
    },
  ];
  return objects.map((object) => stringify(object)).join('---\n');
}
