import { externalSecrets, type KubeObject, type Values } from '@karaar/k8s/objects';

/** The entries of the secret store by name, each with its properties. */
export type Store = Readonly<Record<string, Values>>;

/**
 * Returns the secrets that the External Secrets operator would create, by name.
 * @throws Error if the store lacks an entry or a placeholder has no value
 */
export const secretsOf = (objects: readonly KubeObject[], store: Store): Map<string, Values> =>
  new Map(
    externalSecrets(objects).map(({ name: secret, keys, fetched }) => {
      const entries: Record<string, string> = {};
      for (const { key, entry } of fetched) {
        const [name = '', property = ''] = entry.split('/');
        const value = store[name]?.[property];
        if (value === undefined) throw new Error(`The store has no entry ${entry}.`);
        entries[key] = value;
      }
      const fill = (text: string): string =>
        text.replace(/\{\{ \.?(.*?)( \| splitList `,` \| first)? \}\}/g, (_, key: string, first?: string) => {
          const value = entries[key];
          if (value === undefined) throw new Error(`Secret ${secret}: {{ ${key} }} has no value.`);
          return first ? value.replace(/,.*/, '') : value;
        });
      const filled = Object.entries(keys).map(([key, text = `{{ ${key} }}`]) => [key, fill(text)]);
      return [secret, Object.fromEntries(filled) as Values];
    }),
  );
