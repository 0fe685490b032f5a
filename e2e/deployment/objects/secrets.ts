/** What the External Secrets operator would make: each secret from its template and the store's entries. */
import type { KubeObject } from '@karaar/k8s/objects';
import { ofKind } from '@karaar/k8s/objects';

/** Entries of the store by name and property. */
export type Store = ReadonlyMap<string, Readonly<Record<string, string>>>;

type External = {
  target: { name: string; template?: { data: Record<string, string> } };
  data: { secretKey: string; remoteRef: { key: string; property: string } }[];
};

/** The store from the `Secret` objects that hold its entries. */
export function storeOf(objects: readonly Record<string, unknown>[]): Store {
  return new Map(
    objects.flatMap((object) => {
      const { kind, metadata, stringData } = object as {
        kind: string;
        metadata: { name: string };
        stringData?: Record<string, string>;
      };
      return kind === 'Secret' ? [[metadata.name, stringData ?? {}]] : [];
    }),
  );
}

/**
 * The values of every secret that the objects ask for, by the secret's name.
 *
 * @throws Error that names an entry which the store lacks, or a placeholder that nothing fills
 */
export function secretsOf(objects: readonly KubeObject[], store: Store): Map<string, Record<string, string>> {
  return new Map(
    ofKind<External>(objects, 'ExternalSecret').map(({ spec: { target, data } }) => {
      const entries = Object.fromEntries(
        data.map(({ secretKey, remoteRef: { key, property } }) => {
          const value = store.get(key)?.[property];
          if (value === undefined) throw new Error(`The store has no entry ${key}/${property}.`);
          return [secretKey, value];
        }),
      );
      const filled = Object.entries(target.template?.data ?? {}).map(([name, text]) => [
        name,
        fill(text, entries, target.name),
      ]);
      return [target.name, target.template ? Object.fromEntries(filled) : entries];
    }),
  );
}

function fill(text: string, entries: Readonly<Record<string, string>>, secret: string): string {
  return text.replace(/\{\{\s*(.*?)\s*\}\}/g, (_, expression: string) => {
    const value = entries[expression.replace(/^\./, '')];
    if (value === undefined) throw new Error(`Secret ${secret}: nothing fills {{ ${expression} }}.`);
    return value;
  });
}
