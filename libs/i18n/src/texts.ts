import {
  hasMessage,
  isReadable,
  loadCatalog,
  registerCatalog,
  wordsOf,
  type LoadMessages,
  type Values,
} from './store.ts';

/** A message that a rule chose and a component will word. */
export type Message<K extends string = string> = { key: K; values?: Values };

/** Words of a catalog: by key, or a message that a rule returned. */
export type Say<K extends string> = (message: K | Message<K>, values?: Values) => string;

/** A feature's texts: its name and its keys. The messages come in one file per language. */
export type Texts<K extends string> = {
  readonly name: string;
  /** Fetches them in the language in force. Rejects only when English cannot be had either. */
  readonly load: () => Promise<void>;
  readonly isReadable: () => boolean;
  /** Whether a text that came from elsewhere (a code of a service) is one of the keys, once the catalog is there. */
  readonly has: (key: string) => key is K;
  /** Words in the language in force, outside of components. Inside of one: `useTexts`, which follows a change. */
  readonly say: Say<K>;
};

/** The keys of a catalog, from the type of its English file. */
export type KeyOf<M> = keyof M & string;

/**
 * Names a feature's texts. `M` is the type of its English file, whose keys the others share.
 * @param name unique in the product
 * @param load fetches the file of a language: ``(language) => import(`./texts/${language}.json`, { with: { type: 'json' } })``
 */
export function defineTexts<M extends Record<string, string>>(
  name: string,
  load: LoadMessages,
): Texts<KeyOf<M>> {
  registerCatalog(name, load);
  return {
    name,
    load: () => loadCatalog(name),
    isReadable: () => isReadable(name),
    has: (key): key is KeyOf<M> => hasMessage(name, key),
    say: (message, values) =>
      typeof message === 'string'
        ? wordsOf(name, message, values)
        : wordsOf(name, message.key, message.values),
  };
}
