/** `npm run karaar -- <command>`: what an operator does with a whole installation. */
import { COMMANDS as accounts, type Command } from '@karaar/service-auth/cli/commands';
import { runCommand } from '@karaar/service-auth/cli/run';
import { BackupError } from './backup/manifest.ts';
import { COMMANDS as installation } from './commands.ts';
import { databaseOf } from './databases.ts';

/** A command of the auth service. It finds its database by the variables that the tool's other commands read. */
const ofAccounts = ({ usage, run }: Command): Command => ({
  usage,
  run: async (args, env) => {
    const given = env['AUTH_DATABASE_URL'] ?? env['ADMIN_DATABASE_URL'];
    if (env['DATABASE_URL'] !== undefined || given === undefined) return run(args, env);
    const { url } = databaseOf(env, 'auth');
    return run(args, { ...env, DATABASE_URL: url, MIGRATION_DATABASE_URL: url });
  },
});

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ...installation,
  ...[...accounts].map(([name, command]) => [name, ofAccounts(command)] as const),
]);

await runCommand(COMMANDS, process.argv.slice(2), process.env, [BackupError]);
