/** Sets up a second factor. It is required only after its first right code. */
import { inTransaction } from '@karaar/db';
import type { Context } from '../../../context.ts';
import { codeWrong, invalidCredentials, nothingPending, passwordWrong } from '../admins.errors.ts';
import {
  activateTotp,
  countRecoveryCodes,
  findAdminById,
  setPending,
  type AdminRow,
} from '../admins.repository.ts';
import { writeAudit } from '../audit/audit.service.ts';
import { isPassword } from './password.ts';
import { newRecoveryCodes, newTotpSecret, recoveryDigest, totpStep, totpUrl } from './totp.ts';

export async function requireAdmin(ctx: Context, id: string): Promise<AdminRow> {
  const admin = await findAdminById(ctx.db, id);
  if (!admin) throw invalidCredentials();
  return admin;
}

/**
 * Returns the signed-in admin after checking the password again, because a session on an unattended screen is
 * not enough.
 * @throws 400 `password_wrong`
 */
export async function adminWithPassword(ctx: Context, id: string, password: string): Promise<AdminRow> {
  await ctx.passwordChecks(id);
  const admin = await requireAdmin(ctx, id);
  if (!(await isPassword(admin.password_hash, password))) throw passwordWrong();
  return admin;
}

/** Stores a new secret, which becomes active with its first code. */
export async function enrollTotp(
  ctx: Context,
  adminId: string,
  password: string,
): Promise<{ secret: string; url: string }> {
  const admin = await adminWithPassword(ctx, adminId, password);
  const secret = newTotpSecret();
  await setPending(ctx.db, admin.id, ctx.secrets.seal(secret, admin.id));
  return { secret, url: totpUrl(admin.username, secret) };
}

/** Activates the second factor. Returns the recovery codes once; the database stores only HMACs. */
export async function confirmTotp(ctx: Context, adminId: string, code: string): Promise<string[]> {
  await ctx.passwordChecks(adminId);
  const admin = await requireAdmin(ctx, adminId);
  const pending = admin.totp_pending;
  if (!pending) throw nothingPending();
  const step = await totpStep(ctx.secrets.open(pending, admin.id), code, 0);
  if (step === undefined) throw codeWrong();
  const codes = newRecoveryCodes();
  const digests = codes.map((recovery) => recoveryDigest(ctx.pepper, admin.id, recovery));
  await inTransaction(ctx.db, async (tx) => {
    await activateTotp(tx, admin.id, pending, step, digests);
    await writeAudit(ctx, tx, { adminId: admin.id, action: 'totp.enabled', targetId: null, reason: '' });
  });
  return codes;
}

export const recoveryCodesLeft = (ctx: Context, adminId: string): Promise<number> =>
  countRecoveryCodes(ctx.db, adminId);
