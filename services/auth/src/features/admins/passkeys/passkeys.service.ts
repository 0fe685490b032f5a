import type { PasskeyRegistration } from '@karaar/contracts/auth/passkeys-http';
import { inTransaction, isUuid, type Tx } from '@karaar/db';
import { passkeysRequired } from '../../../config.ts';
import type { Context } from '../../../context.ts';
import type { Database } from '../../../db/schema.ts';
import { countRecoveryCodes, type AdminRow } from '../admins.repository.ts';
import { writeAudit } from '../audit/audit.service.ts';
import { giveRecoveryCodes } from '../sign-in/recovery-codes.service.ts';
import { adminWithPassword } from '../sign-in/totp.service.ts';
import { keepCeremony, takeCeremony, type Ceremony } from './ceremonies.repository.ts';
import { optionsToAdd, readAdded } from './ceremonies.ts';
import { lastPasskey, noSuchPasskey, passkeyKnown, passkeyNotAdded } from './passkeys.errors.ts';
import {
  deletePasskey,
  insertPasskey,
  lockAdmin,
  passkeysOf,
  type PasskeyRow,
} from './passkeys.repository.ts';

type Adding = { ceremony_id: string; add: Awaited<ReturnType<typeof optionsToAdd>> };

export const ownPasskeys = (ctx: Context, adminId: string): Promise<PasskeyRow[]> =>
  passkeysOf(ctx.db, adminId);

/** @param purpose decides how the new passkey may be used */
export async function beginAdding(
  ctx: Context,
  admin: AdminRow,
  purpose: Exclude<Ceremony['purpose'], 'use'>,
): Promise<Adding> {
  const add = await optionsToAdd(ctx.config, admin, await passkeysOf(ctx.db, admin.id));
  const ceremony_id = await keepCeremony(ctx.db, { adminId: admin.id, purpose, challenge: add.challenge });
  return { ceremony_id, add };
}

/**
 * Starts adding a passkey for an admin who is signed in.
 * @throws 400 `password_wrong`
 */
export async function beginOwn(ctx: Context, adminId: string, password: string): Promise<Adding> {
  return beginAdding(ctx, await adminWithPassword(ctx, adminId, password), 'add');
}

/**
 * Adds the passkey.
 * @returns recovery codes if the admin had none
 * @throws 400 `passkey_not_added`, 409 `passkey_known`
 */
export async function addOwn(
  ctx: Context,
  adminId: string,
  registration: { ceremony_id: string; added: PasskeyRegistration; name: string },
): Promise<string[]> {
  const ceremony = await takeCeremony(ctx.db, registration.ceremony_id, ['add']);
  if (!ceremony || ceremony.admin_id !== adminId) throw passkeyNotAdded();
  return addPasskey(ctx, ceremony, registration);
}

/**
 * Stores the passkey from the response to this ceremony.
 * @param first throws if the passkey must not be stored
 * @returns recovery codes if the admin had none
 */
export async function addPasskey(
  ctx: Context,
  { admin_id, challenge }: Ceremony,
  { added, name }: { added: PasskeyRegistration; name: string },
  first: (tx: Tx<Database>) => Promise<void> = () => Promise.resolve(),
): Promise<string[]> {
  const passkey = await readAdded(ctx.config, challenge, added);
  if (!passkey) throw passkeyNotAdded();
  return inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, admin_id);
    await first(tx);
    if (!(await insertPasskey(tx, { ...passkey, admin_id, name }))) throw passkeyKnown();
    await writeAudit(ctx, tx, {
      adminId: admin_id,
      action: 'passkey.added',
      targetId: null,
      target: name,
      reason: '',
    });
    return (await countRecoveryCodes(tx, admin_id)) > 0 ? [] : giveRecoveryCodes(ctx, tx, admin_id);
  });
}

/**
 * Removes a passkey.
 * @throws 400 `password_wrong`; 404 for another admin's passkey; 409 `last_passkey` if sign-in requires one
 */
export async function removeOwn(ctx: Context, adminId: string, id: string, password: string): Promise<void> {
  await adminWithPassword(ctx, adminId, password);
  await inTransaction(ctx.db, async (tx) => {
    await lockAdmin(tx, adminId);
    const name = isUuid(id) ? await deletePasskey(tx, adminId, id) : undefined;
    if (name === undefined) throw noSuchPasskey();
    if (passkeysRequired(ctx.config) && (await passkeysOf(tx, adminId)).length === 0) throw lastPasskey();
    await writeAudit(ctx, tx, {
      adminId,
      action: 'passkey.removed',
      targetId: null,
      target: name,
      reason: '',
    });
  });
}
