/** What the External Secrets operator would make: each secret from its template and the store's entries. */
import { externalSecrets, type KubeObject, type Values } from '@karaar/k8s/objects';

/** Entries of the store: properties by name. */
export type Store = Readonly<Record<string, Values>>;

/**
 * The values of every secret that the objects ask for, by the secret's name.
 *
 * @throws Error that names an entry which the store lacks, or a placeholder that nothing fills
 */
export const secretsOf = (objects: readonly KubeObject[], store: Store): Map<string, Values> =>
  new Map(
    externalSecrets(objects).map(({ name: secret, template, fetched }) => {
      const entries: Record<string, string> = {};
      for (const { key, entry, property } of fetched) {
        const value = store[entry]?.[property];
        if (value === undefined) throw new Error(`The store has no entry ${entry}/${property}.`);
        entries[key] = value;
      }
      const filled: Record<string, string> = {};
      for (const [name, text] of Object.entries(template ?? {}))
        filled[name] = text.replace(/\{\{\s*\.?(.*?)\s*\}\}/g, (_, key: string) => {
          const value = entries[key];
          if (value === undefined) throw new Error(`Secret ${secret}: nothing fills {{ ${key} }}.`);
          return value;
        });
      return [secret, template ? filled : entries];
    }),
  );
