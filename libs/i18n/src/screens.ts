import { createElement, type ComponentType, type ReactElement } from 'react';
import { screen, type LoadableScreen } from './react.ts';
import type { Texts } from './texts.ts';

/**
 * What a screen is made of, as data that a remote's app and its build share: the app mounts it, the build tells the
 * gateway which files each path needs.
 */
export type ScreenFile = {
  /** The module whose default export is the screen, as it is imported from the list of routes. */
  file: string;
  /** The modules that make the catalogs it uses; of a relative one, `./a/texts.ts`, the languages are in `./a/texts/`. */
  texts: readonly string[];
  /** Where it is shown, and with which properties there. */
  paths: Readonly<Record<string, object>>;
};

type Values<T> = T[keyof T];
type Module<Props> = () => Promise<{ default: ComponentType<Props> }>;
type PropsOf<List extends readonly ScreenFile[], File> = Values<
  Extract<List[number], { file: File }>['paths']
>;

/** How each file of a list is loaded: by an `import()` that names it, which is what a bundler can read. */
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
 * The screens of a list, by file, each with the routes to it. All paths of one file share a component, so that going from
 * one to another keeps it.
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
