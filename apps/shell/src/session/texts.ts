export const sessionTexts = {
  loggedOut: 'Logged out successfully',
} as const;
