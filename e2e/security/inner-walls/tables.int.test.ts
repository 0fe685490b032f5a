/** The check of tables finds the rights of an owner. */
import { randomUUID } from 'node:crypto';
import { asRole, testPostgres } from '@karaar/testing/harness';
import { ableTo } from './tables.ts';

it('finds rights, even if a trigger would refuse the change, and nothing for a role without rights', async () => {
  const database = await testPostgres(`tables-${randomUUID().slice(0, 4)}`);
  try {
    await asRole(
      database.url,
      `create table outbox (id int); create table kysely_migration (name text); create table trail (id int, at int);
       create function refuse() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$;
       create trigger stays before update of at or delete or truncate on trail for each statement execute function refuse();
       revoke all on database "${new URL(database.url).pathname.slice(1)}" from public;
       grant connect on database "${new URL(database.url).pathname.slice(1)}" to "${new URL(database.runtimeUrl).username}";
       grant select, insert on trail to "${new URL(database.runtimeUrl).username}"`,
    );
    const owners = await ableTo(database.url);
    for (const statement of [
      'create table drill (id int)',
      'delete from trail where false',
      'update trail set at = at where false',
      'truncate trail cascade',
      'alter table trail disable trigger all',
    ])
      expect(owners).toContain(statement);
    expect(await ableTo(database.runtimeUrl)).toEqual([]);
    await asRole(database.url, `grant delete on trail to "${new URL(database.runtimeUrl).username}"`);
    expect(await ableTo(database.runtimeUrl)).toEqual(['delete from trail where false']);
  } finally {
    await database.drop();
  }
}, 60_000);
