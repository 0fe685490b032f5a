import {
  hasMessage,
  isReadable,
  loadCatalog,
  registerCatalog,
  wordsOf,
  type LoadMessages,
  type Values,
} from './store.ts';

/** A message that a rule returns and a component formats. */
export type Message<K extends string = string> = { key: K; values?: Values };

/** Returns a text by key, or of a message that a rule returned. */
export type Say<K extends string> = (message: K | Message<K>, values?: Values) => string;

/** A feature's texts: its name and its keys. One file per language holds the messages. */
export type Texts<K extends string> = {
  readonly name: string;
  /** Loads them in the present language. Rejects only if English fails too. */
  readonly load: () => Promise<void>;
  readonly isReadable: () => boolean;
  /** Returns true if a string, such as a service's code, is a key of the loaded catalog. */
  readonly has: (key: string) => key is K;
  /**
   * Returns a text in the present language, outside components. Components use `useTexts`, which follows
   * changes.
   */
  readonly say: Say<K>;
};

/** The keys of a catalog, from the type of its English file. */
export type KeyOf<M> = keyof M & string;

/**
 * Defines a feature's texts. `M` is the type of its English file, whose keys the others share.
 * @param name unique in the product
 * @param load loads the file of a language: ``(language) => import(`./texts/${language}.json`, { with: {
 * type: 'json' } })``
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
