/** Lifetime of a session and its token (design §3 Sessions). */
export const SESSION_MS = 12 * 3_600_000;
