export const pageTexts = {
  titles: {
    about: 'About Us',
    contact: 'Contact Support',
    terms: 'Terms & Conditions',
    privacy: 'Privacy Policy',
  },
  updated: (date: string) => `Last changed on ${date}`,
  loadFailed: 'This page could not be loaded',
} as const;
