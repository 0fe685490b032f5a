/** Validates every object by the schema of its kind, and finds unknown fields. */
import { Type, type TProperties, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { KubeObject } from './objects.ts';

const PACKAGES: readonly [group: RegExp, from: string][] = [
  [/(^|\.)cnpg\.io$/, '@kubernetes-models/cloudnative-pg/'],
  [/(^|\.)external-secrets\.io$/, '@kubernetes-models/external-secrets/'],
  [/(^|\.)monitoring\.coreos\.com$/, '@kubernetes-models/prometheus-operator/'],
  [/^$|^(apps|batch|autoscaling|policy)$|\.k8s\.io$/, 'kubernetes-models/'],
];

const closed = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false });
const Compression = closed({
  compression: Type.String(),
  maxParallel: Type.Optional(Type.Integer()),
  jobs: Type.Optional(Type.Integer()),
});

const OWN: Readonly<Record<string, TSchema>> = {
  'barmancloud.cnpg.io/v1 ObjectStore': closed({
    apiVersion: Type.String(),
    kind: Type.String(),
    metadata: Type.Object({ name: Type.String() }),
    spec: closed({
      retentionPolicy: Type.String({ pattern: '^[1-9][0-9]*[dwm]$' }),
      configuration: closed({
        destinationPath: Type.String({ pattern: '^s3://' }),
        endpointURL: Type.Optional(Type.String()),
        s3Credentials: closed({ inheritFromIAMRole: Type.Boolean() }),
        wal: Compression,
        data: Compression,
      }),
    }),
  }),
};

type Validator = { prototype: { validate(): void } };

/** Returns what the schema rejects, and unknown fields, which the API server would drop or reject. */
export async function schemaFaults(object: KubeObject): Promise<string[]> {
  const id = `${object.apiVersion} ${object.kind}`;
  const own = OWN[id];
  if (own)
    return [...Value.Errors(own, object)].map((error) => `${error.instancePath || '/'} ${error.message}`);
  const model = await modelOf(object);
  if (!model) return [`no schema is known for ${id}`];
  const faults: string[] = [];
  const watched = watch(object, '');
  try {
    model.prototype.validate.call(watched.view);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return [...faults, ...watched.unread().map((path) => `${path} is not a field of ${object.kind}`)];
}

async function modelOf({ apiVersion, kind }: KubeObject): Promise<Validator | undefined> {
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
  const from = PACKAGES.find(([pattern]) => pattern.test(group))?.[1];
  if (from === undefined) return undefined;
  try {
    const module = (await import(`${from}${apiVersion}/${kind}`)) as Record<string, Validator | undefined>;
    return module[kind];
  } catch (error) {
    if (error instanceof Error && /Cannot find (module|package)|not exported/.test(error.message))
      return undefined;
    throw error;
  }
}

type Watched = { view: object; unread: () => string[] };

/**
 * Returns a view of a value that records which fields are read. The generated validators read every field
 * that they know by name, iterate maps with free keys, and do not open free-form values.
 */
function watch(value: object, path: string): Watched {
  const read = new Set<PropertyKey>();
  const inner = new Map<PropertyKey, Watched>();
  let isWalked = Array.isArray(value);
  const view = new Proxy(value, {
    get(target, key, receiver) {
      read.add(key);
      const field: unknown = Reflect.get(target, key, receiver);
      if (typeof field !== 'object' || field === null) return field;
      const known = inner.get(key) ?? watch(field, `${path}/${String(key)}`);
      inner.set(key, known);
      return known.view;
    },
    ownKeys(target) {
      isWalked = true;
      return Reflect.ownKeys(target);
    },
  });
  const unread = (): string[] => {
    const below = [...inner.values()].flatMap((one) => one.unread());
    if (isWalked || read.size === 0) return below;
    const missed = Object.keys(value).filter((key) => !read.has(key));
    return [...missed.map((key) => `${path}/${key}`), ...below];
  };
  return { view, unread };
}
