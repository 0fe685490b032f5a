/** What an operator does with accounts and keys, of a database that is the auth service's alone. */
import { runCommand } from '@karaar/bus/commands';
import { commands } from './ops.ts';

await runCommand(commands, process.argv.slice(2), process.env);
