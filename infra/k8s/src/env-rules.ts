/** Checks the environment of each process against its configuration schema. */
import { environments } from '@karaar/images/environments';
import { ConfigError, loadConfig, type ConfigFault } from '@karaar/base/config';
import { Type, type TObject, type TProperties } from 'typebox';
import {
  externalSecrets,
  ofKind,
  perContainer,
  type Container,
  type Objects,
  type Values,
} from './objects.ts';

/** Read by the platform, the runtime or a provider's SDK in every process. */
const EVERYWHERE = new Set(['NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS', 'SPOOL_DIR', 'TZ', 'AWS_REGION']);

const BY_IMAGE: Readonly<Record<string, readonly string[]>> = {
  converter: ['CHROMIUM_PATH', 'SOFFICE_PATH', 'WORK_DIR'],
};

/** The value of each variable, or undefined if it comes from a secret. */
export type Variables = Map<string, string | undefined>;

export const secretKeys = (objects: Objects): Map<string, Set<string>> =>
  new Map(
    externalSecrets(objects).map(({ name, template, fetched }) => [
      name,
      new Set(template ? Object.keys(template) : fetched.map(({ key }) => key)),
    ]),
  );

/** Returns a container's variables; later sources override earlier ones, as in the kubelet. */
export function variablesOf(container: Container, objects: Objects): Variables {
  const result: Variables = new Map();
  const secrets = secretKeys(objects);
  const maps = new Map(ofKind(objects, 'ConfigMap').map(({ metadata, data }) => [metadata.name, data]));
  for (const { configMapRef, secretRef } of container.envFrom ?? []) {
    for (const [key, value] of Object.entries(maps.get(configMapRef?.name ?? '') ?? {}))
      result.set(key, value);
    for (const key of secrets.get(secretRef?.name ?? '') ?? []) result.set(key, undefined);
  }
  for (const { name, value } of container.env ?? []) result.set(name, value);
  return result;
}

/** Returns the variables whose text is in the manifests: as a value, or as the template of a secret. */
export function textsOf(container: Container, objects: Objects): Map<string, string> {
  const templates = new Map(externalSecrets(objects).map(({ name, template }) => [name, template]));
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

export function partOf(container: Container): keyof typeof environments | undefined {
  const name = /\/([a-z-]+)(:[^/]*)?$/.exec(container.image)?.[1] ?? '';
  return name in environments ? (name as keyof typeof environments) : undefined;
}

/** Returns variables that the process does not know, required ones that are missing, and invalid values. */
export const environmentFaults = (objects: Objects): string[] =>
  perContainer(objects, (container, { isLasting }) => {
    const part = partOf(container);
    if (part === undefined) return [];
    const properties = environments[part].properties as TProperties;
    const given = variablesOf(container, objects);
    const faults = [...given].flatMap(([variable, value]) => {
      if (EVERYWHERE.has(variable)) return [];
      const schema = properties[variable];
      if (!schema) return [`${variable} is not known to ${part}`];
      if (value === undefined) return [];
      const alone = Type.Object({ [variable]: Type.Optional(schema) });
      return refusals(alone, { [variable]: value }).map(({ problem }) => `${variable} ${problem}`);
    });
    // Jobs have no configuration schema of their own.
    if (!isLasting) return faults;
    const preset = new Set([...given.keys(), ...(BY_IMAGE[part] ?? [])]);
    const missing = refusals(Type.Object(properties), {}).filter(({ name }) => !preset.has(name));
    return [...faults, ...missing.map(({ name }) => `${name} is required and not given`)];
  });

function refusals(schema: TObject, env: Values): readonly ConfigFault[] {
  try {
    loadConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
