/** Small changes of files that people wrote. A place that is not found is a refusal, never a guess. */
import { Refusal } from './refusal.ts';

/** Puts a piece before the only match of a pattern; `what` names the place for the refusal. */
export function insertBefore(text: string, place: RegExp, piece: string, what: string): string {
  const matches = [...text.matchAll(new RegExp(place, 'gm'))];
  const [match] = matches;
  if (!match || matches.length > 1) {
    throw new Refusal(`${what} was ${match ? 'found more than once' : 'not found'}.`);
  }
  return text.slice(0, match.index) + piece + text.slice(match.index);
}

/** Puts a piece on a line of its own after the last line that matches. */
export function insertAfterLastLine(text: string, line: RegExp, piece: string, what: string): string {
  const lines = text.split('\n');
  const at = lines.findLastIndex((each) => line.test(each));
  if (at === -1) throw new Refusal(`${what} was not found.`);
  return [...lines.slice(0, at + 1), piece, ...lines.slice(at + 1)].join('\n');
}

/** Adds names to `import … { … } from 'module'`, or the whole import before the first one. */
export function addImport(text: string, module: string, names: readonly string[], kind = 'import'): string {
  const escaped = module.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  const found = new RegExp(`^import (type )?\\{([^}]*)\\} from '${escaped}';$`, 'm').exec(text);
  if (!found) {
    const first = /^import /m.exec(text);
    const line = `${kind} { ${names.join(', ')} } from '${module}';\n`;
    return first ? text.slice(0, first.index) + line + text.slice(first.index) : line + text;
  }
  const there = (found[2] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const bare = there.map((name) => name.replace(/^type /, ''));
  const missing = names.filter((name) => !bare.includes(name));
  if (missing.length === 0) return text;
  // In an import of values a type needs its own word; in `import type` all are types.
  const added = kind === 'import type' && !found[1] ? missing.map((name) => `type ${name}`) : missing;
  const line = `import ${found[1] ?? ''}{ ${[...there, ...added].join(', ')} } from '${module}';`;
  return text.replace(found[0], () => line);
}

/** Registers a migration at the end of `db/migrations/index.ts`. */
export function addToMigrations(index: string, name: string, alias: string): string {
  const taken = new RegExp(`\\bas ${alias}\\b`).test(index);
  const own = taken ? `${alias}${name.slice(0, name.indexOf('-'))}` : alias;
  const line = `import * as ${own} from './${name}.ts';`;
  const imported = insertAfterLastLine(index, /^import /, line, 'The imports of the migrations');
  const list = /(?<=export const migrations = \{[^}]*?),?\s*(?=\};)/;
  if (!list.test(imported)) throw new Refusal('The list of migrations was not found.');
  return imported.replace(list, `, '${name}': ${own} `);
}
