/** The second step of an admin's sign-in: using a passkey, or adding the first one (docs/adr/0066). */
import type { PasskeyAssertion, PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import type { AdminRole } from '@karaar/contracts/kit';
import { badRequest } from '@karaar/base/errors';
import type { Context } from '../../../context.ts';
import { findAdminById } from '../admins.repository.ts';
import { takeBack } from '../sign-in/attempts.repository.ts';
import {
  admit,
  checkCode,
  checkPassword,
  pardon,
  passwordKeyOf,
  type Credentials,
  type From,
} from '../sign-in/sign-in-admin.service.ts';
import { closeAllSessions } from '../../sessions/sessions.service.ts';
import { keepCeremony, takeCeremony, type Ceremony } from './ceremonies.repository.ts';
import { optionsToUse, readUsed } from './ceremonies.ts';
import { passkeyRefused } from './passkeys.errors.ts';
import { notePasskeyUse, passkeysOf } from './passkeys.repository.ts';
import { addPasskey, beginAdding } from './passkeys.service.ts';

/**
 * Returns the challenge for an admin with a passkey. Without a passkey, and for a recovery code, returns the
 * options to create one. An admin with an authenticator app gives its code first, but that code cannot
 * replace a lost passkey.
 * @throws as {@link checkPassword}; 401 `totp_required`, `totp_wrong`
 */
export async function beginPasskeySignIn(ctx: Context, credentials: Credentials, from: From) {
  const tried = await checkPassword(ctx, credentials, from);
  const { admin, passwordKey } = tried;
  const passkeys = await passkeysOf(ctx.db, admin.id);
  const isLost = passkeys.length > 0 && credentials.totp !== undefined;
  if (passkeys.length > 0 && !isLost) {
    await takeBack(ctx.db, passwordKey);
    const use = await optionsToUse(ctx.config, passkeys);
    const kept = { adminId: admin.id, purpose: 'use' as const, challenge: use.challenge };
    return { ceremony_id: await keepCeremony(ctx.db, kept), use };
  }
  const codeKey = await checkCode(ctx, tried, credentials.totp, { recoveryOnly: isLost });
  await pardon(ctx, [passwordKey, codeKey]);
  return beginAdding(ctx, admin, isLost ? 'recover' : 'first');
}

type Finish = {
  ceremony_id: string;
  used?: PasskeyAssertion | undefined;
  added?: PasskeyRegistration | undefined;
  name?: string | undefined;
};
type SignedIn = { token: string; username: string; role: AdminRole; recovery_codes: string[] };

/**
 * Completes the sign-in. Each ceremony allows one attempt.
 * @throws 401 `passkey_refused`, 400 `passkey_not_added`, 409 `passkey_known`
 */
export async function finishPasskeySignIn(ctx: Context, finish: Finish, from: From): Promise<SignedIn> {
  const { used, added, name } = finish;
  if ((used === undefined) === (added === undefined))
    throw badRequest('passkey_not_added', 'Either a passkey is used, or one is added.');
  const ceremony = await takeCeremony(
    ctx.db,
    finish.ceremony_id,
    used === undefined ? ['first', 'recover'] : ['use'],
  );
  const admin = ceremony && (await findAdminById(ctx.db, ceremony.admin_id));
  if (!admin) throw passkeyRefused();
  const recovery_codes = added ? await addAtSignIn(ctx, ceremony, { added, name: name ?? 'Passkey' }) : [];
  if (used) await use(ctx, ceremony, used);
  // A thief may have the lost device and could go on using its session.
  if (ceremony.purpose === 'recover') await closeAllSessions(ctx, admin.id);
  await pardon(ctx, [passwordKeyOf(ctx, admin.username, from)]);
  return { ...(await admit(ctx, admin, from)), recovery_codes };
}

async function use(ctx: Context, ceremony: Ceremony, used: PasskeyAssertion): Promise<void> {
  const passkeys = await passkeysOf(ctx.db, ceremony.admin_id);
  const passkey = passkeys.find((each) => each.credential_id === used.id);
  const said = passkey && (await readUsed(ctx.config, ceremony.challenge, used, passkey));
  if (!said || !(await notePasskeyUse(ctx.db, passkey.id, said))) throw passkeyRefused();
}

/** A first passkey is added only while the admin has none, so one of two simultaneous attempts fails. */
function addAtSignIn(
  ctx: Context,
  ceremony: Ceremony,
  registration: { added: PasskeyRegistration; name: string },
): Promise<string[]> {
  return addPasskey(ctx, ceremony, registration, async (tx) => {
    if (ceremony.purpose === 'first' && (await passkeysOf(tx, ceremony.admin_id)).length > 0)
      throw passkeyRefused();
  });
}
