export const layoutTexts = {
  navigation: 'Main navigation',
  dashboard: 'Dashboard',
  create: 'Create Document',
  join: 'Join Document',
  chat: 'Chat',
  wallet: 'Wallet',
  profile: 'Profile',
  about: 'About Us',
  contact: 'Contact Support',
  terms: 'Terms & Conditions',
  privacy: 'Privacy Policy',
  help: 'Help and rules',
  logout: 'Logout',
  welcome: (name: string) => `Welcome, ${name}`,
  yourId: 'your user ID',
  coins: 'coins',
  incomplete: (percent: number) => `Profile ${percent}% Complete`,
  unread: (count: string) => `${count} unread`,
} as const;

/** What stands beside the sign-in form. */
export const promiseTexts = {
  title: 'You agreed. Now it is on record.',
  steps: [
    ['document', 'Put it in writing', 'Upload what you agree on and name the other party.'],
    ['camera', 'Be who you say you are', 'Everybody verifies with face, eye and signature.'],
    ['shield', 'Seal it', 'One final PDF. Any later change to it shows.'],
  ],
} as const;
