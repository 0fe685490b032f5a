/** What a generator wants to do, and doing it: all of it or nothing. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Refusal } from './refusal.ts';

export type Plan = {
  /** One line: what was made. */
  made: string;
  /** New files by their path below the root. */
  create: Record<string, string>;
  /** New texts of files that are there. */
  change: Record<string, string>;
  /** Places that need a hand, and what to write there. */
  byHand: readonly (readonly [place: string, what: string])[];
  /** Commands to run then. */
  run: readonly string[];
};

/** The text of a file that is there. Throws a Refusal that names it when it is not. */
export function read(root: string, path: string): string {
  if (!existsSync(join(root, path))) throw new Refusal(`There is no ${path}.`);
  return readFileSync(join(root, path), 'utf8');
}

/** Writes a plan's files in the house's format. Throws a Refusal before anything is written. */
export async function carryOut(root: string, plan: Plan): Promise<void> {
  const there = Object.keys(plan.create).filter((path) => existsSync(join(root, path)));
  if (there.length > 0) throw new Refusal(`Already there: ${there.join(', ')}. Nothing was written.`);
  const texts: [string, string][] = [];
  for (const [path, text] of Object.entries({ ...plan.create, ...plan.change })) {
    texts.push([path, await inHouseFormat(join(root, path), text)]);
  }
  const before = Object.keys(plan.change).map((path) => [path, read(root, path)] as const);
  try {
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  } catch (error) {
    for (const path of Object.keys(plan.create)) rmSync(join(root, path), { force: true });
    for (const [path, text] of before) writeFileSync(join(root, path), text);
    throw error;
  }
}

async function inHouseFormat(filepath: string, text: string): Promise<string> {
  return format(text, { ...(await resolveConfig(filepath)), filepath });
}

/** What the command says at its end. */
export function report(plan: Plan): string {
  const lines = [plan.made, ''];
  for (const path of Object.keys(plan.create)) lines.push(`  new      ${path}`);
  for (const path of Object.keys(plan.change)) lines.push(`  changed  ${path}`);
  if (plan.byHand.length > 0) {
    const width = Math.max(...plan.byHand.map(([place]) => place.length));
    lines.push('', 'These places need a hand:', '');
    for (const [place, what] of plan.byHand) lines.push(`  ${place.padEnd(width)}  ${what}`);
  }
  lines.push('', 'Then:', '', ...plan.run.map((command) => `  ${command}`));
  return lines.join('\n');
}
