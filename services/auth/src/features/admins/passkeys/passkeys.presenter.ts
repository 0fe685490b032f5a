import type { PasskeyRow } from './passkeys.repository.ts';

/** As its owner sees it: without id and key of the authenticator. */
export const presentPasskey = ({ id, name, created_at, last_used_at, synced }: PasskeyRow) => ({
  _id: id,
  name,
  created_at: created_at.toISOString(),
  last_used_at: last_used_at?.toISOString() ?? null,
  synced,
});
