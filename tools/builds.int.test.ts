/**
 * The gateway serves whatever packed form is beside a file (gateway/README.md): no build may leave an older one there.
 */
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './testing/source-files.ts';

type Build = { name: string; output: { clean: boolean | { keep: (file: string) => boolean } } };
const configs = (await import(join(root, 'apps/shell/webpack.config.mjs'))) as {
  default: (env: unknown, options: { mode: string }) => Build[];
};
const builds = configs.default({}, { mode: 'development' });

/** The builds that take a file away when they have not made it themselves. */
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
])('what an older build left of %s is taken away by one build: %s', (file, cleaner) => {
  expect(cleanersOf(file)).toEqual([cleaner]);
});

it('the service worker is left alone until its own build writes it again', () => {
  expect(cleanersOf('sw.js')).toEqual([]);
});

const { CURATED } = (await import(join(root, 'libs/web-build/src/webpack.base.mjs'))) as {
  CURATED: Record<string, string>;
};

it.each(['apps/user-mfe', 'apps/admin-mfe', 'apps/shell', 'libs/ui'])(
  'the compiler knows of shared packages in %s what the shell shares of them, and no more',
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
