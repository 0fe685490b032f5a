/** `npm run karaar -- <command>`: what an operator does with accounts and keys. */
import { COMMANDS } from './cli/commands.ts';
import { runCommand } from './cli/run.ts';

await runCommand(COMMANDS, process.argv.slice(2), process.env);
