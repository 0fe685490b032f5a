import { createElement, type ComponentType, type ReactElement } from 'react';
import { screen, type LoadableScreen } from './react.ts';
import type { Texts } from './texts.ts';

/**
 * The parts of a screen, as data for a remote's app and its build: the app mounts it, and the build tells the
 * gateway the files of each path.
 */
export type ScreenFile = {
  /** The module whose default export is the screen, relative to the list of routes. */
  file: string;
  /** The modules that make the catalogs it uses; of a relative one, `./a/texts.ts`, the languages are in `./a/texts/`. */
  texts: readonly string[];
  /** Its paths, with the properties on each. */
  paths: Readonly<Record<string, object>>;
};

type Values<T> = T[keyof T];
type Module<Props> = () => Promise<{ default: ComponentType<Props> }>;
type PropsOf<List extends readonly ScreenFile[], File> = Values<
  Extract<List[number], { file: File }>['paths']
>;

/** The loaders of a list's files: an `import()` with a literal name, which bundlers can analyse. */
export type Loads<List extends readonly ScreenFile[]> = {
  [File in List[number]['file']]: Module<PropsOf<List, File>>;
};
export type Catalogs<List extends readonly ScreenFile[]> = Readonly<
  Record<List[number]['texts'][number], Pick<Texts<never>, 'load'>>
>;
export type MadeScreen = {
  Screen: LoadableScreen<object>;
  routes: { path: string; element: ReactElement }[];
};

/**
 * Returns the screens of a list, by file, each with its routes. All paths of one file share a component, so
 * that navigation between them keeps it.
 */
export function screensOf<const List extends readonly ScreenFile[]>(
  list: List,
  loads: Loads<List>,
  catalogs: Catalogs<List>,
): Record<List[number]['file'], MadeScreen> {
  const made = list.map(({ file, texts, paths }): [string, MadeScreen] => {
    const load = loads[file as keyof Loads<List>] as Module<object>;
    const Screen = screen(
      load,
      texts.map((name) => catalogs[name as keyof Catalogs<List>]),
    );
    const routes = Object.entries(paths).map(([path, props]) => ({
      path,
      element: createElement(Screen, props),
    }));
    return [file, { Screen, routes }];
  });
  return Object.fromEntries(made) as Record<List[number]['file'], MadeScreen>;
}
