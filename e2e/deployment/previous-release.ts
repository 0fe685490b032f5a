/** The release with which the deployment test begins, and to which it rolls back. */
export const PREVIOUS_RELEASE = 'e744df64eaeb';
