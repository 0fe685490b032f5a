/** Builds the models of the vision service before tests that need them. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SetupError } from '../machine/report.mjs';
import { cloneRoot, stateRoot } from '../roots.ts';

/**
 * Runs `services/vision/models` in a child process, which builds missing or outdated models.
 * @returns the folder, for MODELS_DIR
 * @throws SetupError with the converter's output
 */
export async function makeModels(): Promise<string> {
  const folder = join(stateRoot, 'cache', 'models');
  const converter = join(cloneRoot, 'services', 'vision', 'models', 'cli.ts');
  try {
    await promisify(execFile)(process.execPath, [converter], {
      env: { ...process.env, MODELS_DIR: folder },
    });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new SetupError(`The models of vision could not be made:\n${stderr.trim()}`, { cause: error });
  }
  return folder;
}
