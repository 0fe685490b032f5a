/**
 * `npm run upgrade:check -- REF [SERVICE…]`: checks that the release REF can run on this version's databases
 * (ADR 0071), as during a rollout and after a rollback. Checks out REF, compares its contracts with these,
 * and runs its services' tests on databases that this clone has migrated. Exits 1 if a caller of REF would
 * break or a test fails.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PUBLISHERS } from '@karaar/contracts/names';
import { openApiDocument, type OpenApiDocument } from '@karaar/contracts/openapi-document';
import { breakingChanges } from './contract-changes.ts';
import { root } from './testing/source-files.ts';

const SERVICES: readonly string[] = PUBLISHERS;
/** These tests compare all columns with that release's list, so later columns would fail them. */
const OF_ITS_TABLES = ['--testPathIgnorePatterns', 'personal-data'];
const other = join(root, '.karaar/upgrade');

const run = (command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): boolean =>
  spawnSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } }).status === 0;

function must(what: string, done: boolean): void {
  if (!done) throw new Error(`${what} failed`);
}

/** Checks REF out into its own worktree and installs its packages. */
function checkOut(ref: string): void {
  if (existsSync(other))
    must('removing the last tree', run('git', ['worktree', 'remove', '--force', other], root));
  must(`checking ${ref} out`, run('git', ['worktree', 'add', '--detach', other, ref], root));
  const world = join(other, 'libs/testing/src/servers/later-release.ts');
  if (!existsSync(world))
    throw new Error(`${ref} is from before its tests could run on a later release’s tables`);
  must('installing its packages', run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], other));
}

/** @throws Error that names the changes which break callers of REF */
function compareContracts(ref: string): void {
  must('building its contracts', run('node', ['tools/openapi.ts'], other));
  const before = JSON.parse(readFileSync(join(other, '.karaar/openapi.json'), 'utf8')) as OpenApiDocument;
  const changes = breakingChanges(before, openApiDocument());
  if (changes.length > 0) throw new Error(`Callers of ${ref} break:\n${changes.join('\n')}`);
}

const [ref, ...wanted] = process.argv.slice(2);
const unknown = wanted.filter((name) => !SERVICES.includes(name));
if (ref === undefined || unknown.length > 0) {
  console.error(`Usage: npm run upgrade:check -- REF [SERVICE…], with services of ${SERVICES.join(', ')}`);
  process.exit(1);
}
try {
  checkOut(ref);
  compareContracts(ref);
  const failed = (wanted.length > 0 ? wanted : SERVICES).filter(
    (service) =>
      !run('npm', ['test', '--', ...OF_ITS_TABLES], join(other, 'services', service), {
        TEST_MIGRATED_BY: root,
      }),
  );
  if (failed.length > 0) throw new Error(`On these tables ${ref} fails its tests of ${failed.join(', ')}`);
  console.log(
    `On the tables of this state the services of ${ref} pass their tests, and its callers find what they knew.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  run('git', ['worktree', 'remove', '--force', other], root);
  rmSync(other, { recursive: true, force: true });
}
