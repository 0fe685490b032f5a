/** `npm run karaar -- <command>`: what an operator does with accounts and keys. */
import { ConfigError } from '@karaar/platform/config';
import { AppError } from '@karaar/platform/errors';
import { COMMANDS, UsageError } from './cli/commands.ts';

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
  if (!(error instanceof UsageError || error instanceof ConfigError || error instanceof AppError))
    throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
