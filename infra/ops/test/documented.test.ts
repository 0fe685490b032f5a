/** The commands in docs/operations.md exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cloneRoot } from '@karaar/testing/roots';
import { commands as accounts } from '@karaar/service-auth/ops';
import { commands as installation } from '../src/commands.ts';

const raw = readFileSync(join(cloneRoot, 'docs/operations.md'), 'utf8');
const text = raw.replaceAll(/\s+/g, ' ');
const named = (pattern: RegExp, within = text): string[] => [
  ...new Set([...within.matchAll(pattern)].map(([, name = '']) => name)),
];

it('docs/operations.md lists every command of `karaar`', () => {
  const [, section = ''] = raw.split('## Everyday commands');
  const [table = ''] = section.split('\n## ');
  const cells = named(/^\| (`[^|]*)\|/gm, table);
  const listed = cells.flatMap((cell) => named(/`([a-z][a-z-]*)/g, cell));
  const commands = Object.keys({ ...installation, ...accounts });
  expect(listed.sort()).toEqual([...commands].sort());
  for (const name of named(/`(?:[A-Z_]+=\S+ )?karaar ([a-z-]+)/g)) expect(commands).toContain(name);
});

it('docs/operations.md names scripts and benches that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(cloneRoot, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const name of named(/npm run ([a-z][\w:]*)/g)) expect(Object.keys(scripts)).toContain(name);
  const benches = named(/npm run bench -- ([a-z-]+)/g);
  expect(benches.length).toBeGreaterThan(2);
  for (const name of benches)
    expect([name, existsSync(join(cloneRoot, 'bench', name, 'main.ts'))]).toEqual([name, true]);
});
