/** Where passkeys sign, and to which host they belong. */
export type Site = { origin: string; rpId: string };

/** The site of a web app at this public address. */
export function siteOf({ PUBLIC_URL }: { PUBLIC_URL: string }): Site {
  const { origin, hostname } = new URL(PUBLIC_URL);
  return { origin, rpId: hostname };
}
