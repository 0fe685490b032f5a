import { authEvents } from '@karaar/contracts/auth/events';
import { isIdNumber } from '@karaar/contracts/govt-id';
import type { Language } from '@karaar/contracts/limits';
import { readCode } from '@karaar/contracts/typed/read';
import { addressOf, customerNetworkOf } from '@karaar/base/addresses';
import { batched } from '@karaar/db/batching';
import { takeBack } from '@karaar/storage/blobs';
import { inTransaction, isUniqueViolation, isUuid, randomCode8, type Tx, uuidv7 } from '@karaar/db';
import { invalid } from '@karaar/base/errors';
import type { SpooledFile } from '@karaar/http';
import { readLine, readName } from '@karaar/base/schema';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { provesContact, takeProof } from './contact-proofs.repository.ts';
import { keyed, normalizePhone } from '../otp/otp.ts';
import {
  emailTaken,
  idNumberNeeded,
  idNumberUnfit,
  phoneNeedsCode,
  phoneTaken,
  proofEnded,
  userNotFound,
} from './accounts.errors.ts';
import {
  findByCharId,
  findById,
  findByIds,
  findTaken,
  insertUser,
  lockIdImage,
  namedIdImages,
  updateUser,
  type UserChanges,
  type UserRow,
} from './accounts.repository.ts';
import { cleanIdImage } from './id-image.ts';
import { isShownIdNumber } from './id-number.ts';

/**
 * Returns a function that finds a user by id or character ID. Simultaneous look-ups by id are batched into
 * one statement, because Notifications sends many at once.
 */
export function userLookUp({ db }: Pick<Context, 'db'>) {
  const find = batched({ run: (ids: readonly string[]) => findByIds(db, ids) });
  return async (by: {
    user_id?: string | undefined;
    char_id?: string | undefined;
  }): Promise<UserRow | undefined> => {
    if (by.user_id) return isUuid(by.user_id) ? find(by.user_id) : undefined;
    const charId = by.char_id && readCode(by.char_id);
    return charId ? findByCharId(db, charId) : undefined;
  };
}

export type Registration = {
  name: string;
  email: string;
  phone_no: string;
  city: string;
  state: string;
  govt_id_type: string;
  govt_id_number: string;
  language?: Language;
  contact_proof?: string;
};

/**
 * Creates an account. The image is cleaned and stored before the database look-up, so that the duration does
 * not reveal whether an account exists. The answer does reveal it (409), which is why it is rate-limited. An
 * invitation's proof of the phone number can be used once.
 */
export async function register(
  ctx: Context,
  fields: Registration,
  idImage: SpooledFile,
  ip: string,
): Promise<UserRow> {
  await ctx.registrations(addressOf(ip));
  await ctx.networkRegistrations(customerNetworkOf(ip));
  const id = uuidv7();
  const phone = normalizePhone(fields.phone_no);
  const email = fields.email.trim();
  const { name, city, state, govt_id_number } = readFields(fields);
  const proof = fields.contact_proof;
  if (proof && !(await provesContact(ctx.db, proof, keyed(ctx.pepper, phone)))) throw proofEnded();
  if (isShownIdNumber(govt_id_number))
    throw invalid([{ loc: 'govt_id_number', msg: 'Enter the whole number' }]);
  if (!isIdNumber(fields.govt_id_type, govt_id_number)) throw idNumberUnfit();
  const image = await ctx.blobs.put(id, await cleanIdImage(idImage.path), { mime: 'image/jpeg' });
  try {
    const taken = await findTaken(ctx.db, phone, email);
    if (taken.phone) throw phoneTaken();
    if (taken.email) throw emailTaken();
    return await inTransaction(ctx.db, async (tx) => {
      if (proof && !(await takeProof(tx, proof))) throw proofEnded();
      const user = await insertUser(tx, {
        id,
        char_id: randomCode8(),
        name,
        email,
        phone_no: phone,
        city,
        state,
        govt_id_type: fields.govt_id_type,
        govt_id_number: ctx.secrets.seal(govt_id_number, id),
        govt_id_image: image.path,
        ...(fields.language ? { language: fields.language } : {}),
      });
      await announce(ctx, tx, authEvents.userRegistered, user);
      return user;
    });
  } catch (error) {
    await takeBackImage(ctx, error, image.path, id);
    // The unique index decides between two simultaneous registrations, which the look-up above cannot see.
    if (isUniqueViolation(error, 'users_phone_no_key')) throw phoneTaken();
    if (isUniqueViolation(error, 'users_email')) throw emailTaken();
    throw error;
  }
}

/**
 * Changes the given fields of the caller's profile.
 * @throws 409 for a taken e-mail; 422 for another phone number, which needs a code, and for another kind of
 * ID without its number; 429 after many e-mail changes
 */
export async function updateProfile(
  ctx: Context,
  userId: string,
  fields: Partial<Registration>,
  idImage: SpooledFile | undefined,
): Promise<UserRow> {
  const before = await requireUser(ctx, userId);
  const { govt_id_number: submittedIdNumber, phone_no, ...plain } = readFields(fields, before);
  if (phone_no !== undefined && normalizePhone(phone_no) !== before.phone_no) throw phoneNeedsCode();
  // A form that shows a masked number sends the masked number back unchanged.
  const govt_id_number =
    submittedIdNumber !== undefined && isShownIdNumber(submittedIdNumber) ? undefined : submittedIdNumber;
  const otherId = plain.govt_id_type !== undefined && plain.govt_id_type !== before.govt_id_type;
  // Aadhaar digits are masked because of their kind: under another kind of ID they would be shown in full.
  if (otherId && before.govt_id_number && govt_id_number === undefined) throw idNumberNeeded();
  // A stored value was valid when it was saved, so a form may send it back unchanged.
  const onRecord = before.govt_id_number && ctx.secrets.open(before.govt_id_number, userId);
  if (govt_id_number !== undefined && (otherId || govt_id_number !== onRecord)) {
    const idType = plain.govt_id_type ?? before.govt_id_type ?? 'Other';
    if (!isIdNumber(idType, govt_id_number)) throw idNumberUnfit();
  }
  // Limited, so that a caller cannot try addresses to find out which have accounts.
  const otherEmail = plain.email !== undefined && plain.email.toLowerCase() !== before.email.toLowerCase();
  if (otherEmail) await ctx.emailChanges(userId);
  const image =
    idImage && (await ctx.blobs.put(userId, await cleanIdImage(idImage.path), { mime: 'image/jpeg' }));
  const changes: UserChanges = {
    ...plain,
    ...(otherEmail ? { email_proved_at: null } : {}),
    ...(govt_id_number === undefined ? {} : { govt_id_number: ctx.secrets.seal(govt_id_number, userId) }),
    ...(image ? { govt_id_image: image.path } : {}),
  };
  let done;
  try {
    done = await inTransaction(ctx.db, async (tx) => {
      const replaced = image && (await lockIdImage(tx, userId));
      const user = await updateUser(tx, userId, changes);
      if (!user) throw userNotFound();
      await announceUpdate(ctx, tx, user);
      return { user, replaced };
    });
  } catch (error) {
    if (image) await takeBackImage(ctx, error, image.path);
    if (isUniqueViolation(error, 'users_email')) throw emailTaken();
    throw error;
  }
  // Outside the transaction: if removing the earlier image fails, the new image stays on record.
  if (done.replaced) await ctx.blobs.delete(done.replaced);
  return done.user;
}

/**
 * Deletes an image that no account uses, and a new owner's blob key with it. An image that an account uses
 * stays.
 */
export const takeBackImage = (ctx: Context, error: unknown, path: string, owner?: string): Promise<void> =>
  takeBack({ ...ctx, named: (paths) => namedIdImages(ctx.db, paths) }, error, [path], owner);

export type { UserRow };

export async function requireUser(ctx: Context, id: string): Promise<UserRow> {
  const user = isUuid(id) ? await findById(ctx.db, id) : undefined;
  if (!user) throw userNotFound();
  return user;
}

/** Publishes the change to the other services in the transaction of the change. */
export const announceUpdate = (
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  user: UserRow,
): Promise<string> => announce(ctx, tx, authEvents.userUpdated, user);

const announce = (
  ctx: Pick<Context, 'outbox'>,
  tx: Tx<Database>,
  event: typeof authEvents.userRegistered,
  user: UserRow,
): Promise<string> =>
  ctx.outbox.add(tx, event, {
    aggregateId: user.id,
    aggregateVersion: user.version,
    data: { user_id: user.id },
  });

/**
 * Returns the given fields as they are stored, each on one line.
 * @param before the account: a form may send its stored name back unchanged
 * @throws 422 for a field without visible text or with a forbidden character, and for a name that imitates
 * another
 */
function readFields<T extends Record<string, string | undefined>>(fields: T, before?: UserRow): T {
  const kept = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (name === 'name' && value === before?.name) return [[name, value] as const];
    return [[name, name === 'name' ? readName(name, value) : readLine(name, value)] as const];
  });
  const blank = kept.filter(([, value]) => value === '');
  if (blank.length > 0) throw invalid(blank.map(([loc]) => ({ loc, msg: 'must not be empty' })));
  return Object.fromEntries(kept) as T;
}
