/** Checks the environment of each process against its configuration schema. */
import { environments } from '@karaar/images/environments';
import { ConfigError, loadConfig, type ConfigFault } from '@karaar/base/config';
import { Type, type TObject, type TProperties } from 'typebox';
import { perContainer, variablesOf, type Container, type Objects } from './objects.ts';

/** Read by the platform, the runtime or a provider's SDK in every process. */
const EVERYWHERE = /^(NODE_OPTIONS|NODE_EXTRA_CA_CERTS|SPOOL_DIR|TZ|AWS_[A-Z_]+)$/;
const BY_IMAGE: Readonly<Record<string, readonly string[]>> = {
  converter: ['CHROMIUM_PATH', 'SOFFICE_PATH', 'WORK_DIR'],
};

/** Returns variables that the process does not know, required ones that are missing, and invalid values. */
export const environmentFaults = (objects: Objects): string[] =>
  perContainer(objects, (container, { isLasting }) => {
    const part = partOf(container);
    if (part === undefined) return [];
    const properties: TProperties = environments[part].properties;
    const given = variablesOf(container, objects);
    const unknown = [...given.keys()].filter((name) => !(name in properties) && !EVERYWHERE.test(name));
    const texts = [...given].flatMap(([name, { text, isSecret }]) => (isSecret ? [] : [[name, text]]));
    const refused = refusals(Type.Object(properties), Object.fromEntries(texts)).filter(({ name }) => {
      const variable = given.get(name.replace(/\[.*$/, ''));
      // Jobs have no configuration schema of their own, so they may lack variables.
      return variable ? !variable.isSecret : isLasting && !BY_IMAGE[part]?.includes(name);
    });
    return [
      ...unknown.map((name) => `${name} is not known to ${part}`),
      ...refused.map(({ name, problem }) => `${name} ${problem}`),
    ];
  });

function partOf(container: Container): keyof typeof environments | undefined {
  const name = /\/([a-z-]+)(:[^/]*)?$/.exec(container.image)?.[1] ?? '';
  return name in environments ? (name as keyof typeof environments) : undefined;
}

function refusals(schema: TObject, env: Record<string, string | undefined>): readonly ConfigFault[] {
  try {
    loadConfig(schema, env);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
}
