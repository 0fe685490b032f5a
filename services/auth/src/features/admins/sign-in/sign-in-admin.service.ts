/** Sign-in of admins: user name and password, a second factor where one is set up, and growing waits after failures. */
import { inTransaction } from '@karaar/platform/db-kit';
import { tooManyRequests } from '@karaar/platform/errors';
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
/** @property address of the caller, as `addressOf` says it */
export type From = { origin: Origin; address: string };
/** A sign-in whose password was right. */
type Tried = { admin: AdminRow; passwordKey: string; placeKey: string };

/**
 * Throws 401 for a wrong name or password in the same time, 401 `totp_required`, `totp_wrong` or `passkey_required` after
 * a right password, 429 while the caller has to wait.
 *
 * Password attempts are counted by user name (an unknown one too) and the caller's address, so that an attacker locks
 * out only the attacker's own address. Code attempts are counted by admin, after a right password only, and from all
 * addresses together; an address from which this admin has signed in before has a count of its own. Counts are reset
 * only after password and second factor have both passed.
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

/** Whether this admin signs in with a passkey: when passkeys are required, or when the admin has one. */
export async function asksForPasskey(ctx: Context, adminId: string): Promise<boolean> {
  return passkeysRequired(ctx.config) || (await passkeysOf(ctx.db, adminId)).length > 0;
}

/** Opens the session of an admin who has passed all that is asked for. */
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

/** The key under which failed passwords for a user name from an address are counted. */
export const passwordKeyOf = (ctx: Context, username: string, { address }: From): string =>
  keyed(ctx.pepper, `admin\0${address}\0${username}`);

const placeKeyOf = (ctx: Context, adminId: string, address: string): string =>
  keyed(ctx.pepper, `admin-place\0${adminId}\0${address}`);

/** Resets the counts under these keys. */
export const pardon = (ctx: Context, keys: readonly (string | undefined)[]): Promise<void> =>
  forgetAttempts(
    ctx.db,
    keys.filter((key) => key !== undefined),
  );

/** The admin with this user name and password. The attempt stays counted until it is reset or taken back. */
export async function checkPassword(ctx: Context, credentials: Credentials, from: From): Promise<Tried> {
  const passwordKey = passwordKeyOf(ctx, credentials.username, from);
  await begin(ctx, passwordKey, passwordLockMs);
  const admin = await whosePassword(ctx, credentials);
  return { admin, passwordKey, placeKey: placeKeyOf(ctx, admin.id, from.address) };
}

/** Counts an attempt before it is checked. Throws 429 while the caller has to wait. */
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
 * Throws 401 `totp_required`, `totp_wrong`, 429.
 * @param options.recoveryOnly refuses codes of the authenticator app @returns the key under which the admin's codes
 *   are counted; undefined for an admin without a second factor
 */
export async function checkCode(
  ctx: Context,
  { admin, passwordKey, placeKey }: Tried,
  code: string | undefined,
  { recoveryOnly = false }: { recoveryOnly?: boolean } = {},
): Promise<string | undefined> {
  if (!admin.totp_secret && !recoveryOnly) return undefined;
  if (code === undefined) {
    // The password was right: asking for the second factor is not a failed attempt, and does not reset the
    // count of failed ones.
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

/** Whether the authenticator app shows this code now. A right code that was used before is refused. */
async function isAppCode(ctx: Context, admin: AdminRow, given: string): Promise<boolean> {
  if (!admin.totp_secret) return false;
  const step = await totpStep(ctx.secrets.open(admin.totp_secret, admin.id), given, admin.totp_last_step);
  return step !== undefined && useTotpStep(ctx.db, admin.id, step);
}
