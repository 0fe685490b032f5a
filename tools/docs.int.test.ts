import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SERVICE_NAMES } from '@karaar/contracts/services';
import { root, sourceFiles, textOf } from './testing/source-files.ts';

it('links and paths in the documents resolve', () => {
  const broken = sourceFiles('*.md').flatMap((path) => {
    const text = textOf(path);
    const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) =>
      join(dirname(path), link),
    );
    const spans = text.matchAll(/`((?:apps|gateway|services|libs|infra|e2e|bench|tools|docs)\/[\w./-]+)`/g);
    // Made-up names in guides, and build output.
    const paths = [...spans]
      .map(([, span = '']) => span)
      .filter((span) => !/reminders|NAME|\/dist\b/.test(span));
    return [...links, ...paths]
      .filter((target) => !existsSync(join(root, target)))
      .map((target) => `${path}: ${target}`);
  });
  expect(broken).toEqual([]);
});

it("the README of each service names the service's settings", () => {
  const missing = SERVICE_NAMES.flatMap((service) => {
    const settings = textOf(`services/${service}/src/config.ts`).matchAll(/^ {2}([A-Z][A-Z0-9_]+):/gm);
    const readme = textOf(`services/${service}/README.md`);
    return [...settings]
      .map(([, name = '']) => name)
      .filter((name) => !readme.includes(name))
      .map((name) => `${service}: ${name}`);
  });
  expect(missing).toEqual([]);
});
