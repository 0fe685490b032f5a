import type { Session } from '@karaar/contracts/auth/http';
import type { SessionRow } from './sessions.repository.ts';

export const presentSession = (session: SessionRow, currentId: string): Session => ({
  _id: session.id,
  device: session.device,
  network: session.network,
  created_at: session.created_at.toISOString(),
  expires_at: session.expires_at.toISOString(),
  is_current: session.id === currentId,
});
