/** `npm run karaar -- <command>`: what an operator does with a whole installation. */
import { ConfigError } from '@karaar/platform/config';
import { AppError } from '@karaar/platform/errors';
import { COMMANDS as accounts, UsageError, type Command } from '@karaar/service-auth/cli/commands';
import { BackupError } from './backup/manifest.ts';
import { COMMANDS as installation } from './commands.ts';

const COMMANDS: ReadonlyMap<string, Command> = new Map([...installation, ...accounts]);

const [name = '', ...args] = process.argv.slice(2);
const command = COMMANDS.get(name);
try {
  if (!command) {
    const lines = [...COMMANDS].map(([known, { usage }]) => `  ${known.padEnd(18)} ${usage}`);
    throw new UsageError(`Usage: npm run karaar -- <command>\n${lines.join('\n')}`);
  }
  process.stdout.write(`${await command.run(args, process.env)}\n`);
} catch (error) {
  // What the operator can change is a text; anything else is a fault with its stack.
  const isForOperator = [UsageError, ConfigError, AppError, BackupError].some(
    (kind) => error instanceof kind,
  );
  if (!isForOperator || !(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
