import type { DirectoryUser } from '@karaar/contracts/auth/rpc';
import type { Tx } from '@karaar/platform/db-kit';
import { sql, type Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Database, DirectoryTable } from '../../db/schema.ts';
import type { Selectable } from 'kysely';

export type DirectoryUser = Static<typeof DirectoryUser>;
type Db = Kysely<Database> | Tx<Database>;

/** Keeps the newest version of a user, whatever the order in which the versions arrive. */
export async function upsertUser(db: Db, user: DirectoryUser): Promise<void> {
  await db
    .insertInto('directory')
    .values(user)
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet({
          char_id: user.char_id,
          name: user.name,
          email: user.email,
          phone_no: user.phone_no,
          is_active: user.is_active,
          profile_complete: user.profile_complete,
          version: user.version,
        })
        .where('directory.version', '<', sql<number>`excluded.version`),
    )
    .execute();
}

export async function findUser(
  db: Db,
  by: { userId: string } | { charId: string },
): Promise<Selectable<DirectoryTable> | undefined> {
  const query = db.selectFrom('directory').selectAll();
  return 'userId' in by
    ? query.where('user_id', '=', by.userId).executeTakeFirst()
    : query.where('char_id', '=', by.charId.toUpperCase()).executeTakeFirst();
}
