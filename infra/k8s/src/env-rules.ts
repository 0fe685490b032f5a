/** What reaches a process's environment, held against the schema by which the process reads it. */
import { environments } from '@karaar/images/environments';
import { loadConfig } from '@karaar/platform/config';
import { Type, type TProperties } from 'typebox';
import { ofKind, type Container, type KubeObject, type Workload } from './objects.ts';

/** Read by the platform, the runtime or a provider's SDK, for every process. */
const EVERYWHERE = new Set(['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'SPOOL_DIR', 'TZ', 'AWS_REGION']);

/** What the Dockerfile sets. */
const BY_IMAGE: Readonly<Record<string, readonly string[]>> = {
  converter: ['CHROMIUM_PATH', 'SOFFICE_PATH', 'WORK_DIR'],
};

/** A variable: its text, or undefined where it comes from a secret. */
export type Variables = Map<string, string | undefined>;

type ExternalSecretSpec = {
  target?: { name?: string; template?: { data?: Record<string, string>; mergePolicy?: string } };
  data?: { secretKey: string }[];
};

/** Keys of the secrets that ExternalSecrets make, by the secret's name. */
export function secretKeys(objects: readonly KubeObject[]): Map<string, Set<string>> {
  return new Map(
    ofKind<ExternalSecretSpec>(objects, 'ExternalSecret').map(({ metadata, spec }) => {
      const template = spec.target?.template?.data;
      const fetched = (spec.data ?? []).map(({ secretKey }) => secretKey);
      const keys = template ? Object.keys(template) : fetched;
      return [spec.target?.name ?? metadata.name, new Set(keys)];
    }),
  );
}

/** A container's variables, later sources over earlier ones as the kubelet does it. */
export function variablesOf(container: Container, objects: readonly KubeObject[]): Variables {
  const result: Variables = new Map();
  const secrets = secretKeys(objects);
  const maps = new Map(
    objects.filter(({ kind }) => kind === 'ConfigMap').map((map) => [map.metadata.name, map]),
  );
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    for (const [key, value] of Object.entries(maps.get(configMapRef?.name ?? '')?.data ?? {}))
      result.set(key, value);
    for (const key of secrets.get(secretRef?.name ?? '') ?? []) result.set(key, undefined);
  }
  for (const { name, value } of container.env ?? []) result.set(name, value);
  return result;
}

/** A container's variables that have a text in the manifests: their own, or the template by which a secret is made. */
export function textsOf(container: Container, objects: readonly KubeObject[]): Map<string, string> {
  const templates = new Map(
    ofKind<ExternalSecretSpec>(objects, 'ExternalSecret').map(({ metadata, spec }) => [
      spec.target?.name ?? metadata.name,
      spec.target?.template?.data ?? {},
    ]),
  );
  const secret = (name = '', key = ''): string | undefined => templates.get(name)?.[key];
  const texts = new Map<string, string>();
  for (const [name, value] of variablesOf(container, objects)) {
    const from = container.env?.find((one) => one.name === name)?.valueFrom?.secretKeyRef;
    const whole = (container.envFrom ?? [])
      .map(({ secretRef }) => secret(secretRef?.name, name))
      .findLast((text) => text !== undefined);
    const text = value ?? (from ? secret(from.name, from.key) : whole);
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

/** The part of the product whose image this is. */
export function partOf(container: Container): keyof typeof environments | undefined {
  const name = /\/([a-z]+)(:[^/]*)?$/.exec(container.image)?.[1] ?? '';
  return name in environments ? (name as keyof typeof environments) : undefined;
}

/** Variables that the process does not know, that it needs and does not get, and values that it would refuse. */
export function environmentFaults(
  { name, pod, isLasting }: Workload,
  objects: readonly KubeObject[],
): string[] {
  return pod.containers.flatMap((container) => {
    const part = partOf(container);
    if (part === undefined) return [];
    const properties = environments[part].properties as TProperties;
    const given = variablesOf(container, objects);
    const faults = [...given].flatMap(([variable, value]) => {
      if (EVERYWHERE.has(variable)) return [];
      const schema = properties[variable];
      if (!schema) return [`${variable} is not known to ${part}`];
      return value === undefined ? [] : valueFaults(variable, schema, value);
    });
    // A job reads what it needs itself.
    if (isLasting) faults.push(...missing(properties, given, BY_IMAGE[part] ?? []));
    return faults.map((fault) => `${name}/${container.name}: ${fault}`);
  });
}

function missing(properties: TProperties, given: Variables, preset: readonly string[]): string[] {
  const absent = { ...Object.fromEntries([...given.keys(), ...preset].map((name) => [name, true])) };
  try {
    loadConfig(Type.Object(properties), {});
  } catch (error) {
    if (!(error instanceof Error && 'faults' in error)) throw error;
    const faults = error.faults as { name: string; problem: string }[];
    return faults
      .filter(({ name }) => !(name in absent))
      .map(({ name }) => `${name} is required and not given`);
  }
  return [];
}

function valueFaults(name: string, schema: TProperties[string], value: string): string[] {
  try {
    loadConfig(Type.Object({ [name]: Type.Optional(schema) }), { [name]: value });
    return [];
  } catch (error) {
    if (!(error instanceof Error && 'faults' in error)) throw error;
    return (error.faults as { problem: string }[]).map(({ problem }) => `${name} ${problem}`);
  }
}
