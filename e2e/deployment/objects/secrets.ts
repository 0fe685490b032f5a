/** What the External Secrets operator would make: each secret from its template and the store's entries. */
import { ofKind, type KubeObject, type Values } from '@karaar/k8s/objects';

/** Entries of the store: properties by name. */
export type Store = Readonly<Record<string, Values>>;

type External = {
  target: { name: string; template?: { data: Values } };
  data: { secretKey: string; remoteRef: { key: string; property: string } }[];
};

/**
 * The values of every secret that the objects ask for, by the secret's name.
 *
 * @throws Error that names an entry which the store lacks, or a placeholder that nothing fills
 */
export function secretsOf(objects: readonly KubeObject[], store: Store): Map<string, Values> {
  return new Map(
    ofKind<External>(objects, 'ExternalSecret').map(({ spec: { target, data } }) => {
      const entries: Record<string, string> = {};
      for (const { secretKey, remoteRef } of data) {
        const value = store[remoteRef.key]?.[remoteRef.property];
        if (value === undefined)
          throw new Error(`The store has no entry ${remoteRef.key}/${remoteRef.property}.`);
        entries[secretKey] = value;
      }
      const fill = (text: string): string =>
        text.replace(/\{\{\s*\.?(.*?)\s*\}\}/g, (_, name: string) => {
          const value = entries[name];
          if (value === undefined) throw new Error(`Secret ${target.name}: nothing fills {{ ${name} }}.`);
          return value;
        });
      const filled = Object.entries(target.template?.data ?? {}).map(([name, text]) => [name, fill(text)]);
      return [target.name, target.template ? (Object.fromEntries(filled) as Values) : entries];
    }),
  );
}
