/** How long a session and its token live (design §3 Sessions). */
export const SESSION_MS = 12 * 3_600_000;
