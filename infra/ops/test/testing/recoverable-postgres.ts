/** A test's own PostgreSQL that archives its WAL and can be recovered to a point of it. */
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backingPaths } from '@karaar/testing/backing/paths';
import { startPostgres } from '@karaar/testing/backing/postgres';
import { postgresHome } from '@karaar/testing/backing/postgres-home';
import { until } from '@karaar/testing/until';
import pg from 'pg';

export type RecoverablePostgres = {
  url: string;
  /** Takes a base backup while the server runs. */
  backUp(): Promise<void>;
  /** Creates a restore point and waits until the WAL up to it is archived. */
  markPoint(name: string): Promise<void>;
  /** Restores the base backup and replays the archived WAL up to that point. */
  recoverTo(name: string): Promise<void>;
  remove(): Promise<void>;
};

const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

export async function startRecoverable(): Promise<RecoverablePostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'karaar-recovery-'));
  const paths = backingPaths(folder);
  const part = await startPostgres(paths, false);
  const { home, runAs } = await postgresHome(paths);
  const [data, archive, base] = [join(home, 'data'), join(home, 'archive'), join(home, 'base')];
  const own = (path: string) => runAs && chownSync(path, runAs.uid, runAs.gid);
  mkdirSync(archive, { mode: 0o700 });
  own(archive);
  const setting = (line: string) => appendFileSync(join(data, 'postgresql.conf'), `${line}\n`);
  setting('archive_mode = on');
  setting(`archive_command = 'test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"'`);
  await part.restart();

  async function as<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: part.url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  const text = async (client: pg.Client, query: string, values: string[] = []): Promise<string> => {
    const { rows } = await client.query<{ text: string }>(query, values);
    return rows[0]?.text ?? '';
  };

  return {
    url: part.url,
    backUp: () =>
      as(async (client) => {
        await client.query(`select pg_backup_start('drill', true)`);
        copy(data, base);
        const label = await text(client, 'select labelfile as text from pg_backup_stop()');
        // The archive has the WAL; the segments in the copy are not part of the backup.
        rmSync(join(base, 'postmaster.pid'), { force: true });
        execFileSync('find', [join(base, 'pg_wal'), '-type', 'f', '-delete']);
        writeFileSync(join(base, 'backup_label'), label);
        own(join(base, 'backup_label'));
      }),
    markPoint: (name) =>
      as(async (client) => {
        await client.query('select pg_create_restore_point($1)', [name]);
        const segment = await text(client, 'select pg_walfile_name(pg_switch_wal()) as text');
        await until('the log is archived', () => existsSync(join(archive, segment)));
      }),
    recoverTo: async (name) => {
      await part.stop();
      rmSync(data, { recursive: true });
      copy(base, data);
      setting(`restore_command = 'cp "${archive}/%f" "%p"'`);
      setting(`recovery_target_name = '${name}'`);
      setting(`recovery_target_action = 'promote'`);
      writeFileSync(join(data, 'recovery.signal'), '');
      own(join(data, 'recovery.signal'));
      await part.restart();
      await until('the recovery has ended', () =>
        as(async (client) => (await text(client, 'select pg_is_in_recovery()::text as text')) === 'false'),
      );
    },
    remove: async () => {
      await part.stop();
      if (part.outside !== undefined) rmSync(part.outside, { recursive: true });
      rmSync(folder, { recursive: true });
    },
  };
}
