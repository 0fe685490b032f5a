/**
 * A service's own copy of the users (design §2.6), updated by events of the auth service. Events may be late,
 * so an unknown user is requested from auth.
 */
import { isUuid, prepared } from '@karaar/db';
import { authEvents } from '@karaar/contracts/auth/events';
import { authRpc, type DirectoryUser } from '@karaar/contracts/auth/rpc';
import { readCode, readPhone } from '@karaar/contracts/typed/read';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { Static } from 'typebox';
import { batched } from '@karaar/db/batching';
import type { Bus } from '../bus/index.ts';
import type { Tx } from '@karaar/db';

export type DirectoryEntry = Static<typeof DirectoryUser>;
/** The table in a service's own schema type: `directory: DirectoryTable`. */
export type DirectoryTable = DirectoryEntry;
type WithDirectory = { directory: DirectoryTable };

/**
 * Returns the user whom a text identifies exactly: an 8-character ID, phone, e-mail or id; undefined for any
 * other text.
 */
export async function whoIs<DB extends WithDirectory>(
  serviceDb: Kysely<DB>,
  text: string,
): Promise<string | undefined> {
  // The table's columns are the same in every service's schema.
  const db = serviceDb as unknown as Kysely<WithDirectory>;
  const [code, phone] = [readCode(text), readPhone(text)];
  let query = db.selectFrom('directory').select('user_id');
  if (code) query = query.where('char_id', '=', code);
  else if (phone) query = query.where('phone_no', '=', phone);
  else if (text.includes('@')) query = query.where(sql`lower(email)`, '=', text.toLowerCase());
  else if (isUuid(text)) query = query.where('user_id', '=', text);
  else return undefined;
  return (await query.executeTakeFirst())?.user_id;
}
/**
 * `asha@example.org` → `a•••@example.org`, for users without a common agreement (design §3 Who sees what).
 */
export const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1•••');
/** `+919000000001` → `+91••••••0001`. */
export const maskPhone = (phone: string): string => phone && `+91••••••${phone.slice(-4)}`;

export type Directory = {
  /** Returns the user with this id from the copy; requests an unknown user from the auth service. */
  findById: (userId: string) => Promise<DirectoryEntry | undefined>;
  /** Returns the user with this 8-character ID, in any spelling that people use. */
  findByCharId: (charId: string) => Promise<DirectoryEntry | undefined>;
  /**
   * Returns the newest state from the auth service, for cases that a stale copy would harm. Throws 503 if it
   * does not answer.
   */
  refresh: (userId: string) => Promise<DirectoryEntry | undefined>;
  follow: () => Promise<void>;
};

/** A service's rules for a deleted user, applied in the transaction that empties the entry. */
export type Erasure<DB> = {
  /** Returns true if the name stays readable because agreements contain it. */
  keepsName?: (tx: Tx<DB>, userId: string) => Promise<boolean>;
};

/** With up to a minute between attempts, two days without the auth service make no event a dead letter. */
const LOOK_UP_TRIES = 3_000;

/** Returns the directory of a service, which is not updated by events until `follow` is called. */
export function createDirectory<DB extends WithDirectory>(
  serviceDb: Kysely<DB>,
  bus: Bus,
  erasure: Erasure<DB> = {},
): Directory {
  // The table's columns are the same in every service's schema.
  const db = serviceDb as unknown as Kysely<WithDirectory>;

  const inCopy = batched({ run: (userIds: readonly string[]) => readCopies(db, userIds) });

  async function ask(by: { user_id: string } | { char_id: string }): Promise<DirectoryEntry | undefined> {
    const { user } = await bus.request(authRpc.findUser, by);
    if (!user) return undefined;
    const copy = await inCopy(user.user_id);
    if (!copy || copy.version < user.version) await upsert(db, user);
    return user;
  }
  return {
    findById: async (userId) => (await inCopy(userId)) ?? (await ask({ user_id: userId })),
    findByCharId: async (typed) => {
      const char_id = readCode(typed);
      if (!char_id) return undefined;
      const known = await db
        .selectFrom('directory')
        .selectAll()
        .where('char_id', '=', char_id)
        .executeTakeFirst();
      return known ?? (await ask({ char_id }));
    },
    refresh: (userId) => ask({ user_id: userId }),
    follow: async () => {
      for (const event of [authEvents.userRegistered, authEvents.userUpdated]) {
        await bus.consume({
          db,
          event,
          handlerName: `directory-${event.type.split('.').at(-1)}`,
          // The event has the user's id only; the auth service returns the newest state, or nothing for a
          // deleted account.
          lookUp: async ({ data }) => (await bus.request(authRpc.findUser, { user_id: data.user_id })).user,
          handle: async (_envelope, tx, user) => {
            if (user) await upsert(tx, user);
          },
          maxDeliveries: LOOK_UP_TRIES,
        });
      }
      await bus.consume({
        db,
        event: authEvents.userDeleted,
        handlerName: 'directory-deleted',
        handle: async ({ data, aggregateVersion }, tx) => {
          // The service reads its own tables, in the same transaction.
          const keepsName = (await erasure.keepsName?.(tx as unknown as Tx<DB>, data.user_id)) ?? false;
          await bury(tx, {
            userId: data.user_id,
            charId: data.char_id,
            version: aggregateVersion,
            keepsName,
          });
        },
      });
    },
  };
}

async function readCopies(
  db: Kysely<WithDirectory>,
  userIds: readonly string[],
): Promise<(DirectoryEntry | undefined)[]> {
  const { rows } = await prepared(
    'directory_by_id',
    sql<DirectoryEntry & { at: number }>`
    SELECT a.at::int AS at, d.user_id, d.char_id, d.name, d.email, d.phone_no, d.is_active,
      d.profile_complete, d.language, d.version
    FROM unnest(${userIds}::uuid[]) WITH ORDINALITY AS a (user_id, at) JOIN directory d USING (user_id)`,
  ).execute(db);
  const found = new Map(rows.map(({ at, ...entry }) => [at, entry]));
  return userIds.map((_, index) => found.get(index + 1));
}

async function upsert(
  db: Kysely<WithDirectory> | Transaction<WithDirectory>,
  user: DirectoryEntry,
): Promise<void> {
  // Without a conflict target: two transactions that write one user at the same time can conflict on either
  // unique index.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('directory')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 1n) return;
  const { user_id, ...rest } = user;
  await db
    .updateTable('directory')
    .set(rest)
    .where('user_id', '=', user_id)
    .where('version', '<', user.version)
    .execute();
}

/**
 * Empties an entry permanently. The row stays as the newest version, so that a late event about the user is
 * dropped and the auth service is not called again.
 */
async function bury(
  tx: Transaction<WithDirectory>,
  user: { userId: string; charId: string; version: number; keepsName: boolean },
): Promise<void> {
  await sql`
    INSERT INTO directory (user_id, char_id, name, email, phone_no, is_active, profile_complete, version)
    VALUES (${user.userId}, ${user.charId}, '', '', '', false, false, ${user.version})
    ON CONFLICT (user_id) DO UPDATE SET
      name = CASE WHEN ${user.keepsName} THEN directory.name ELSE '' END,
      email = '', phone_no = '', language = NULL, is_active = false, profile_complete = false, version = excluded.version`.execute(
    tx,
  );
}
