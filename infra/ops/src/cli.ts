/** `npm run karaar -- <command>`: the operator's commands. */
import { runCommand, type Command } from '@karaar/bus/commands';
import { commands as accounts } from '@karaar/service-auth/ops';
import { RestartRefused } from '@karaar/service-documents/ops';
import { BackupError } from './backup/manifest.ts';
import { commands as installation } from './commands.ts';
import { databaseOf } from './databases.ts';

/** Lets a command of the auth service find its database by the variables of the other commands. */
const ofAccounts = ({ usage, run }: Command): Command => ({
  usage,
  run: async (args, env) => {
    const given = env['AUTH_DATABASE_URL'] ?? env['ADMIN_DATABASE_URL'];
    if (env['DATABASE_URL'] !== undefined || given === undefined) return run(args, env);
    const { url } = databaseOf(env, 'auth');
    return run(args, { ...env, DATABASE_URL: url, MIGRATION_DATABASE_URL: url });
  },
});

const commands = {
  ...installation,
  ...Object.fromEntries(Object.entries(accounts).map(([name, command]) => [name, ofAccounts(command)])),
};

await runCommand(commands, process.argv.slice(2), process.env, [BackupError, RestartRefused]);
