/** The authenticated caller. `charId` is '' for an admin; `role` is set for admins only. */
export type Principal = {
  userId: string;
  sessionId: string;
  charId: string;
  audience: 'user' | 'admin';
  role?: string;
};
