/** Validates every object by the schema of its kind, and finds unknown fields. */
import { BackupConfiguration } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/BackupConfiguration';
import type { KubeObject } from './objects.ts';

const PACKAGES: readonly [group: RegExp, from: string][] = [
  [/(^|\.)cnpg\.io$/, '@kubernetes-models/cloudnative-pg/'],
  [/(^|\.)external-secrets\.io$/, '@kubernetes-models/external-secrets/'],
  [/(^|\.)monitoring\.coreos\.com$/, '@kubernetes-models/prometheus-operator/'],
  [/^$|^(apps|batch|autoscaling|policy)$|\.k8s\.io$/, 'kubernetes-models/'],
];

type Validator = { prototype: { validate(): void } };

/** Returns what the schema rejects, and unknown fields, which the API server would drop or reject. */
export async function schemaFaults(object: KubeObject): Promise<string[]> {
  if (object.kind === 'ObjectStore') {
    // Its plugin publishes no schema; its fields are those of the operator's own section for backups.
    const { configuration, ...spec } = object.spec ?? {};
    return faultsBy(BackupConfiguration, { ...spec, barmanObjectStore: configuration }, '/spec');
  }
  return faultsBy(await modelOf(object), object);
}

function faultsBy(model: Validator, value: object, path = ''): string[] {
  const faults: string[] = [];
  const watched = watch(value, path);
  try {
    model.prototype.validate.call(watched.view);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return [...faults, ...watched.unread().map((field) => `${field} is not a field`)];
}

/** @throws Error if no package has the kind */
async function modelOf({ apiVersion, kind }: KubeObject): Promise<Validator> {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [];
  const from = PACKAGES.find(([pattern]) => pattern.test(group))?.[1];
  const module = (await import(`${from}${apiVersion}/${kind}`)) as Record<string, Validator>;
  const model = module[kind];
  if (!model) throw new Error(`${from} has no schema of ${apiVersion} ${kind}`);
  return model;
}

/**
 * Returns a view of a value, and the fields that nothing has read in it. The generated validators read every
 * field that they know by name, iterate maps with free keys, and do not open free-form values.
 */
function watch(value: object, path: string) {
  const read = new Map<unknown, Set<PropertyKey>>();
  const mark = (target: object, keys: readonly PropertyKey[]) =>
    read.set(target, new Set([...(read.get(target) ?? []), ...keys]));
  const view = (target: object): object =>
    new Proxy(target, {
      get(_, key) {
        mark(target, [key]);
        const field: unknown = Reflect.get(target, key);
        return typeof field === 'object' && field !== null ? view(field) : field;
      },
      ownKeys() {
        mark(target, Reflect.ownKeys(target));
        return Reflect.ownKeys(target);
      },
    });
  const unread = (target: unknown, at: string): string[] => {
    const known = read.get(target);
    if (typeof target !== 'object' || target === null || !known) return [];
    return Object.entries(target).flatMap(([key, field]) =>
      known.has(key) ? unread(field, `${at}/${key}`) : [`${at}/${key}`],
    );
  };
  return { view: view(value), unread: () => unread(value, path) };
}
