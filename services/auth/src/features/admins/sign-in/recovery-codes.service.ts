/**
 * Recovery codes for an admin who has lost phone or passkey: shown once, stored as HMACs, each valid for one
 * sign-in.
 */
import { conflict } from '@karaar/base/errors';
import { inTransaction, type Tx } from '@karaar/db';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/schema.ts';
import { passkeysOf } from '../passkeys/passkeys.repository.ts';
import { replaceRecoveryCodes } from '../admins.repository.ts';
import { writeAudit } from '../audit/audit.service.ts';
import { newRecoveryCodes, recoveryDigest } from './totp.ts';
import { adminWithPassword } from './totp.service.ts';

export async function giveRecoveryCodes(ctx: Context, tx: Tx<Database>, adminId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  const digests = codes.map((code) => recoveryDigest(ctx.pepper, adminId, code));
  await replaceRecoveryCodes(tx, adminId, digests);
  return codes;
}

/** @throws 400 `password_wrong`; 409 `no_second_factor` for an admin who is never asked for a code */
export async function renewRecoveryCodes(ctx: Context, adminId: string, password: string): Promise<string[]> {
  const admin = await adminWithPassword(ctx, adminId, password);
  if (!admin.totp_secret && (await passkeysOf(ctx.db, adminId)).length === 0)
    throw conflict('no_second_factor', 'Set up a passkey or an authenticator app first.');
  return inTransaction(ctx.db, async (tx) => {
    const codes = await giveRecoveryCodes(ctx, tx, adminId);
    await writeAudit(ctx, tx, { adminId, action: 'recovery-codes.renewed', targetId: null, reason: '' });
    return codes;
  });
}
