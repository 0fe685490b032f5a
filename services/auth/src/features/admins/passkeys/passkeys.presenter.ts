import type { PasskeyRow } from './passkeys.repository.ts';

/** Returns the passkey for its owner, without the authenticator's id and key. */
export const presentPasskey = ({ id, name, created_at, last_used_at, synced }: PasskeyRow) => ({
  _id: id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  synced,
});
