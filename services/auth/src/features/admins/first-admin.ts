import { inTransaction, uuidv7 } from '@karaar/db';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AdminRole } from '@karaar/contracts/kit';
import { hasAdmins, insertAdmin } from './admins.repository.ts';
import { hashPassword } from './sign-in/password.ts';

export const MIN_PASSWORD = 12;

export async function createAdmin(
  ctx: Pick<Context, 'db'>,
  admin: { username: string; password: string; role: AdminRole },
): Promise<boolean> {
  return insertAdmin(ctx.db, {
    id: uuidv7(),
    username: admin.username,
    password_hash: await hashPassword(admin.password),
    role: admin.role,
  });
}

/** Creates the admin from the environment if no admin exists; later starts change nothing. */
export async function ensureFirstAdmin(ctx: Pick<Context, 'db' | 'config' | 'logger'>): Promise<void> {
  const { FIRST_ADMIN_USERNAME: username, FIRST_ADMIN_PASSWORD: password } = ctx.config;
  if (!username || !password) return;
  const hash = await hashPassword(password);
  const made = await inTransaction(ctx.db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('first admin'))`.execute(tx);
    if (await hasAdmins(tx)) return false;
    return insertAdmin(tx, { id: uuidv7(), username, password_hash: hash, role: 'super-admin' });
  });
  if (made) ctx.logger.info('the first admin was made from the environment');
}
