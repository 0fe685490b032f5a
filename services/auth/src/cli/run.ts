/** Running one command of the operator's tool. */
import { ConfigError } from '@karaar/platform/config';
import { AppError } from '@karaar/platform/errors';
import { UsageError, type Command } from './commands.ts';

/**
 * Runs the command that the arguments name and prints its output; exits with 1 and a message for errors that the
 * operator can correct.
 * @param expected further faults of that kind
 * @throws what is a fault of ours
 */
export async function runCommand(
  commands: ReadonlyMap<string, Command>,
  [name = '', ...args]: readonly string[],
  env: Parameters<Command['run']>[1],
  expected: readonly (new (...args: never[]) => Error)[] = [],
): Promise<void> {
  const command = commands.get(name);
  try {
    if (!command) {
      const lines = [...commands].map(([known, { usage }]) => `  ${known.padEnd(18)} ${usage}`);
      throw new UsageError(`Usage: npm run karaar -- <command>\n${lines.join('\n')}`);
    }
    process.stdout.write(`${await command.run(args, env)}\n`);
  } catch (error) {
    const isForOperator = [UsageError, ConfigError, AppError, ...expected].some(
      (kind) => error instanceof kind,
    );
    if (!isForOperator || !(error instanceof Error)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
