import type { AdminUser, User } from '@karaar/contracts/auth/http';
import { profileCompleteness } from '@karaar/contracts/profile-completeness';
import type { authRpc } from '@karaar/contracts/auth/rpc';
import type { RpcResponse } from '@karaar/contracts/kit';
import type { Context } from '../../context.ts';
import type { UserRow } from './accounts.repository.ts';
import { shownIdNumber } from './id-number.ts';

type DirectoryUser = NonNullable<RpcResponse<typeof authRpc.findUser>['user']>;

export const presentAccount = (user: UserRow): AdminUser => ({
  _id: user.id,
  user_id: user.id,
  char_id: user.char_id,
  name: user.name,
  email: user.email,
  phone_no: user.phone_no,
  city: user.city,
  state: user.state,
  status: user.status,
  is_active: user.status === 'active',
  is_admin: user.is_admin,
  created_at: user.created_at.toISOString(),
});

/** Returns the account for its owner. The link to the ID image works only in this session. */
export const presentOwn =
  (ctx: Pick<Context, 'secrets' | 'blobs' | 'config'>) =>
  (user: UserRow, { sessionId }: { sessionId: string }): User =>
    presentUser(user, user.govt_id_number && ctx.secrets.open(user.govt_id_number, user.id), (path) =>
      ctx.blobs.signPath(path, { viewerId: user.id, sessionId, ttlS: ctx.config.FILE_LINK_TTL_S }),
    );

const presentUser = (user: UserRow, idNumber: string | null, sign: (path: string) => string): User => ({
  ...presentAccount(user),
  email_proved: user.email_proved_at !== null,
  updated_at: user.updated_at.toISOString(),
  profile_pic: null,
  signature_pic: null,
  eye_pic: null,
  fingerprint: null,
  govt_id_type: user.govt_id_type,
  govt_id_number: idNumber && shownIdNumber(user.govt_id_type, idNumber),
  govt_id_image: user.govt_id_image && sign(user.govt_id_image),
  language: user.language,
  phone_move:
    user.moving_to && user.moves_at
      ? { phone_no: user.moving_to, effective_at: user.moves_at.toISOString() }
      : null,
});

/**
 * Returns a user for another service's directory. Notifications sends mail to the address, so it gets only a
 * proved one; the other services only show it.
 */
export const presentDirectoryUser = (user: UserRow, asker: string): DirectoryUser => ({
  user_id: user.id,
  char_id: user.char_id,
  name: user.name,
  email: asker === 'notifications' && user.email_proved_at === null ? '' : user.email,
  phone_no: user.phone_no,
  is_active: user.status === 'active',
  profile_complete: profileCompleteness({ ...user, govt_id_number: user.govt_id_number && 'kept encrypted' })
    .isComplete,
  language: user.language,
  version: user.version,
});
