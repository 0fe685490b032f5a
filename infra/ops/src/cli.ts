/** `npm run karaar -- <command>`: what an operator does with a whole installation. */
import { COMMANDS as accounts, type Command } from '@karaar/service-auth/cli/commands';
import { runCommand } from '@karaar/service-auth/cli/run';
import { BackupError } from './backup/manifest.ts';
import { COMMANDS as installation } from './commands.ts';

const COMMANDS: ReadonlyMap<string, Command> = new Map([...installation, ...accounts]);

await runCommand(COMMANDS, process.argv.slice(2), process.env, [BackupError]);
