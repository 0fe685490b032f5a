import { inTransaction } from '@karaar/db';
import { tooManyRequests } from '@karaar/base/errors';
import { passkeysRequired } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import type { AdminRole } from '@karaar/contracts/kit';
import { keyed } from '../../otp/otp.ts';
import { passkeyRequired } from '../passkeys/passkeys.errors.ts';
import { passkeysOf } from '../passkeys/passkeys.repository.ts';
import type { Origin } from '../../sessions/device.ts';
import { openSession } from '../../sessions/sessions.service.ts';
import { invalidCredentials, totpRequired, totpWrong } from '../admins.errors.ts';
import { findAdmin, useRecoveryCode, useTotpStep, type AdminRow } from '../admins.repository.ts';
import { writeAudit } from '../audit/audit.service.ts';
import { beginAttempt, forgetAttempts, takeBack } from './attempts.repository.ts';
import { codeLockMs, passwordLockMs } from './backoff.ts';
import { isPassword, wastePasswordTime } from './password.ts';
import { isKnownPlace, notePlace } from './places.repository.ts';
import { recoveryDigest, totpStep } from './totp.ts';

export type Credentials = { username: string; password: string; totp?: string | undefined };
/** @property address of the caller, from `addressOf` */
export type From = { origin: Origin; address: string };
type Tried = { admin: AdminRow; passwordKey: string; placeKey: string };

/**
 * Signs an admin in.
 *
 * Password attempts are counted by user name (known or not) and the caller's address, so that an attacker
 * locks out only the attacker's own address. Code attempts are counted by admin, only after a right password,
 * for all addresses together; an address from which this admin has signed in before has its own count. Counts
 * are reset only after both factors have passed.
 * @throws 401 for a wrong name or password, in the same time; 401 `totp_required`, `totp_wrong` or
 * `passkey_required` after a right password; 429 while the caller has to wait
 */
export async function signInAdmin(
  ctx: Context,
  credentials: Credentials,
  from: From,
): Promise<{ token: string; username: string; role: AdminRole }> {
  const tried = await checkPassword(ctx, credentials, from);
  const { admin, passwordKey } = tried;
  if (await asksForPasskey(ctx, admin.id)) {
    await takeBack(ctx.db, passwordKey);
    throw passkeyRequired();
  }
  const codeKey = await checkCode(ctx, tried, credentials.totp);
  await pardon(ctx, [passwordKey, codeKey]);
  return admit(ctx, admin, from);
}

export async function asksForPasskey(ctx: Context, adminId: string): Promise<boolean> {
  return passkeysRequired(ctx.config) || (await passkeysOf(ctx.db, adminId)).length > 0;
}

export async function admit(
  ctx: Context,
  admin: AdminRow,
  { origin, address }: From,
): Promise<{ token: string; username: string; role: AdminRole }> {
  await notePlace(ctx.db, admin.id, placeKeyOf(ctx, admin.id, address));
  const { token } = await openSession(ctx, origin, async () => ({
    id: admin.id,
    audience: 'admin' as const,
    role: admin.role,
  }));
  await inTransaction(ctx.db, (tx) =>
    writeAudit(ctx, tx, { adminId: admin.id, action: 'admin.signed-in', targetId: null, reason: '' }),
  );
  ctx.outbox.wake();
  return { token, username: admin.username, role: admin.role };
}

/** Returns the key that counts failed passwords for a user name from one address. */
export const passwordKeyOf = (ctx: Context, username: string, { address }: From): string =>
  keyed(ctx.pepper, `admin\0${address}\0${username}`);

const placeKeyOf = (ctx: Context, adminId: string, address: string): string =>
  keyed(ctx.pepper, `admin-place\0${adminId}\0${address}`);

export const pardon = (ctx: Context, keys: readonly (string | undefined)[]): Promise<void> =>
  forgetAttempts(
    ctx.db,
    keys.filter((key) => key !== undefined),
  );

/**
 * Returns the admin with this user name and password. The attempt stays counted until it is reset or taken
 * back.
 */
export async function checkPassword(ctx: Context, credentials: Credentials, from: From): Promise<Tried> {
  const passwordKey = passwordKeyOf(ctx, credentials.username, from);
  await begin(ctx, passwordKey, passwordLockMs);
  const admin = await whosePassword(ctx, credentials);
  return { admin, passwordKey, placeKey: placeKeyOf(ctx, admin.id, from.address) };
}

/**
 * Counts an attempt before it is checked.
 * @throws 429 while the caller has to wait
 */
async function begin(ctx: Context, key: string, lockMs: (failures: number) => number): Promise<void> {
  const lockedUntil = await inTransaction(ctx.db, (tx) => beginAttempt(tx, key, lockMs));
  if (!lockedUntil) return;
  const seconds = Math.ceil((lockedUntil.getTime() - Date.now()) / 1_000);
  throw tooManyRequests('Too many failed sign-ins. Please wait.', seconds);
}

async function whosePassword(ctx: Context, { username, password }: Credentials): Promise<AdminRow> {
  const admin = await findAdmin(ctx.db, username);
  if (!admin) {
    await wastePasswordTime(password);
    throw invalidCredentials();
  }
  if (!(await isPassword(admin.password_hash, password))) throw invalidCredentials();
  return admin;
}

/**
 * Checks the second factor.
 * @param options.recoveryOnly refuses codes of the authenticator app
 * @returns the key under which the admin's codes are counted; undefined for an admin without a second factor
 * @throws 401 `totp_required`, `totp_wrong`; 429
 */
export async function checkCode(
  ctx: Context,
  { admin, passwordKey, placeKey }: Tried,
  code: string | undefined,
  { recoveryOnly = false }: { recoveryOnly?: boolean } = {},
): Promise<string | undefined> {
  if (!admin.totp_secret && !recoveryOnly) return undefined;
  if (code === undefined) {
    // The password was right: a request for the second factor is not a failed attempt, and does not reset the
    // count.
    await takeBack(ctx.db, passwordKey);
    throw totpRequired();
  }
  const known = await isKnownPlace(ctx.db, admin.id, placeKey);
  const codeKey = keyed(ctx.pepper, `admin-code\0${admin.id}\0${known ? placeKey : ''}`);
  await begin(ctx, codeKey, codeLockMs);
  const isApp = !recoveryOnly && (await isAppCode(ctx, admin, code));
  if (!isApp && !(await useRecoveryCode(ctx.db, admin.id, recoveryDigest(ctx.pepper, admin.id, code)))) {
    await takeBack(ctx.db, passwordKey);
    throw totpWrong();
  }
  return codeKey;
}

async function isAppCode(ctx: Context, admin: AdminRow, code: string): Promise<boolean> {
  if (!admin.totp_secret) return false;
  const step = await totpStep(ctx.secrets.open(admin.totp_secret, admin.id), code, admin.totp_last_step);
  return step !== undefined && useTotpStep(ctx.db, admin.id, step);
}
