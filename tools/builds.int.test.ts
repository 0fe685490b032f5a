/**
 * The gateway serves compressed files next to the originals (gateway/README.md), so builds must delete
 * outdated ones.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './testing/source-files.ts';

type Build = { name: string; output: { clean: boolean | { keep: (file: string) => boolean } } };
const configs = (await import(join(root, 'apps/shell/webpack.config.mjs'))) as {
  default: (env: unknown, options: { mode: string }) => Build[];
};
const builds = configs.default({}, { mode: 'development' });

/** Returns the builds that delete a file which they have not written. */
const cleanersOf = (file: string): string[] =>
  builds
    .filter(({ output: { clean } }) => (typeof clean === 'boolean' ? clean : !clean.keep(file)))
    .map(({ name }) => name);

it.each([
  ['start.js', 'alone'],
  ['start.js.br', 'alone'],
  ['checkout.js.gz', 'alone'],
  ['checkout.html.br', 'shell'],
  ['index.html.br', 'shell'],
  ['main.0123456789.js.gz', 'shell'],
])('an outdated %s is deleted by one build: %s', (file, cleaner) => {
  expect(cleanersOf(file)).toEqual([cleaner]);
});

it('the service worker is replaced only by its own build', () => {
  expect(cleanersOf('sw.js')).toEqual([]);
});

const { CURATED } = (await import(join(root, 'libs/web-build/src/webpack.base.mjs'))) as {
  CURATED: Record<string, string>;
};

it.each(['apps/user-mfe', 'apps/admin-mfe', 'apps/shell', 'libs/ui'])(
  'the compiler resolves shared packages in %s to the curated files that the shell shares',
  (project) => {
    const { config } = ts.readConfigFile(join(root, project, 'tsconfig.json'), (path) =>
      ts.sys.readFile(path),
    );
    const { options } = ts.parseJsonConfigFileContent(config, ts.sys, join(root, project));
    const resolved = Object.keys(CURATED).map(
      (name) =>
        ts.resolveModuleName(name, join(root, project, 'src/index.tsx'), options, ts.sys).resolvedModule
          ?.resolvedFileName,
    );
    expect(resolved).toEqual(Object.values(CURATED));
  },
);
