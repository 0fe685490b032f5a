/** How the names of the authorities begin that an installation makes for itself. */
export const OWN_AUTHORITY = 'Karaar own authority';

/** Returns true for the name of such an authority, which PDF readers do not know. */
export const isOwnAuthority = (commonName: string): boolean => commonName.startsWith(OWN_AUTHORITY);
