/** The release that an installation has before this one: what the deployment test begins with, and goes back to. */
export const PREVIOUS_RELEASE = 'c52585ab961c';
