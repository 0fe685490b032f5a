import type { ScreenFile } from '@karaar/i18n';

/**
 * Every screen of this remote: its file, its catalogs, and its paths with their properties. Data only:
 * `routes.tsx` mounts it, and the build (`libs/web-build/src/build-manifest.mjs`) derives the files of each
 * path from it. Access rules: contracts/screens.ts.
 */
export const screens = [
  {
    file: './features/auth/Login.tsx',
    texts: ['./features/auth/texts.ts'],
    paths: { '/login': {} },
  },
  {
    file: './features/auth/Register.tsx',
    texts: ['./features/auth/texts.ts', './shared/texts.ts'],
    paths: { '/register': {} },
  },
  {
    file: './features/invitation/Invitation.tsx',
    texts: ['./features/invitation/texts.ts'],
    paths: { '/invitation': {} },
  },
  {
    file: './features/invitation/StopInvitations.tsx',
    texts: ['./features/invitation/texts.ts'],
    paths: { '/invitation/stop': {} },
  },
  {
    file: './features/camera/CameraTest.tsx',
    texts: ['./features/camera/texts.ts'],
    paths: { '/camera': {} },
  },
  {
    file: './features/dashboard/Dashboard.tsx',
    texts: ['./shared/catalogs/dashboard/texts.ts', '@karaar/ui'],
    paths: { '/dashboard': {} },
  },
  {
    file: './features/create/Create.tsx',
    texts: [
      './features/create/texts.ts',
      './shared/texts.ts',
      './features/verification/texts.ts',
      '@karaar/ui',
    ],
    paths: { '/document/create': {} },
  },
  {
    file: './features/join/Join.tsx',
    texts: ['./features/join/texts.ts', './shared/texts.ts', './features/verification/texts.ts'],
    paths: { '/document/join': {} },
  },
  {
    file: './features/detail/Detail.tsx',
    texts: [
      './shared/catalogs/detail/texts.ts',
      './shared/catalogs/payment/texts.ts',
      './shared/texts.ts',
      './features/verification/texts.ts',
      '@karaar/ui',
    ],
    paths: { '/document/:id': {} },
  },
  {
    file: './features/verify/Verify.tsx',
    texts: ['./features/verify/texts.ts'],
    paths: { '/verify': {}, '/verify/:code': {} },
  },
  {
    file: './features/payment/PaymentPage.tsx',
    texts: ['./shared/catalogs/payment/texts.ts', './shared/catalogs/detail/texts.ts'],
    paths: { '/document/:id/payment': {} },
  },
  {
    file: './features/wallet/Wallet.tsx',
    texts: ['./features/wallet/texts.ts', './shared/catalogs/payment/texts.ts'],
    paths: { '/wallet': {} },
  },
  {
    file: './features/profile/Profile.tsx',
    texts: ['./shared/catalogs/profile/texts.ts', './shared/texts.ts'],
    paths: { '/profile': {} },
  },
  {
    file: './features/chat/Chat.tsx',
    texts: ['./features/chat/texts.ts', '@karaar/ui'],
    paths: { '/chat': {}, '/chat/:userId': {} },
  },
  {
    file: './features/pricing/Pricing.tsx',
    texts: ['./features/pricing/texts.ts', '@karaar/ui'],
    paths: { '/pricing': {} },
  },
  {
    file: './features/notifications/Notifications.tsx',
    texts: ['./features/notifications/texts.ts', '@karaar/ui'],
    paths: { '/notifications': {} },
  },
  {
    file: './features/notifications/NotificationSettings.tsx',
    texts: ['./features/notifications/texts.ts', '@karaar/ui'],
    paths: { '/notifications/settings': {} },
  },
  {
    file: './features/welcome/StaticPage.tsx',
    texts: ['./features/welcome/texts.ts'],
    paths: {
      '/about': { slug: 'about' },
      '/contact': { slug: 'contact' },
      '/terms': { slug: 'terms' },
      '/privacy': { slug: 'privacy' },
    },
  },
  {
    file: './features/welcome/Welcome.tsx',
    texts: ['./features/welcome/texts.ts'],
    paths: { '/welcome': {} },
  },
  {
    file: './features/welcome/Help.tsx',
    texts: ['./features/welcome/texts.ts'],
    paths: { '/welcome/help': {} },
  },
  {
    file: './features/welcome/PublicPage.tsx',
    texts: ['./features/welcome/texts.ts'],
    paths: {
      '/welcome/about': { slug: 'about' },
      '/welcome/contact': { slug: 'contact' },
      '/welcome/terms': { slug: 'terms' },
      '/welcome/privacy': { slug: 'privacy' },
    },
  },
] as const satisfies readonly ScreenFile[];
