/** The origin on which passkeys sign, and the host that they belong to. */
export type Site = { origin: string; rpId: string };

/**
 * Returns the site of the public address; the rpId is the whole host name.
 * @throws TypeError for an invalid URL
 */
export function siteOf({ PUBLIC_URL }: { PUBLIC_URL: string }): Site {
  const { origin, hostname } = new URL(PUBLIC_URL);
  return { origin, rpId: hostname };
}
