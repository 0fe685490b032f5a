/** Who is calling. `charId` is '' for an admin, `role` is set for an admin only. */
export type Principal = {
  userId: string;
  sessionId: string;
  charId: string;
  audience: 'user' | 'admin';
  role?: string;
};
