/** The gateway serves whatever packed form lies beside a file (gateway/README.md): no build may leave an older one there. */
import { join } from 'node:path';
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

it('the service worker is left alone until its own build writes it anew', () => {
  expect(cleanersOf('sw.js')).toEqual([]);
});
