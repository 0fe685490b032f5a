/**
 * Writes `libs/contracts/openapi/openapi.json` from the route contracts. With `--check` it writes nothing
 * and fails when the committed file is not what the contracts say.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openApiDocument } from '@karaar/contracts/openapi-document';

const FILE = fileURLToPath(new URL('../libs/contracts/openapi/openapi.json', import.meta.url));

/** The file's text for today's contracts. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}

/** The first line where two texts differ, as `line N: old → new`; null when they are equal. */
export function firstDifference(committed: string, current: string): string | null {
  if (committed === current) return null;
  const before = committed.split('\n');
  const after = current.split('\n');
  const line = after.findIndex((text, index) => text !== before[index]);
  const index = line === -1 ? after.length : line;
  return `line ${index + 1}: ${before[index]?.trim() ?? '(end)'} → ${after[index]?.trim() ?? '(end)'}`;
}

/** Runs the command. @returns the exit code */
export function main(args: readonly string[], file = FILE): number {
  const text = openApiText();
  if (!args.includes('--check')) {
    writeFileSync(file, text);
    console.log(`Wrote ${file}`);
    return 0;
  }
  const difference = firstDifference(read(file), text);
  if (difference === null) return 0;
  console.error(`The OpenAPI document is not what the contracts say (${difference}). Run: npm run openapi`);
  return 1;
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.exitCode = main(process.argv.slice(2));
