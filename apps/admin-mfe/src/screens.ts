import type { ScreenFile } from '@karaar/i18n';

/**
 * Every screen of this remote: its file, its catalogs, and its paths with their properties. Data only:
 * `routes.tsx` mounts it, and the build (`libs/web-build/src/build-manifest.mjs`) derives the files of each
 * path from it. Access rules: contracts/screens.ts.
 */
export const screens = [
  {
    file: './layout/AdminLayout.tsx',
    texts: ['./layout/texts.ts', './features/seal/texts.ts', './shared/texts.ts'],
    paths: {},
  },
  {
    file: './features/login/Login.tsx',
    texts: ['./features/login/texts.ts', './shared/passkeys/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/login': {} },
  },
  {
    file: './features/overview/Overview.tsx',
    texts: ['./features/overview/texts.ts', '@karaar/ui'],
    paths: { '/admin/overview': {} },
  },
  {
    file: './features/users/Users.tsx',
    texts: ['./features/users/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/users': {} },
  },
  {
    file: './features/documents/Documents.tsx',
    texts: ['./features/documents/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/documents': {} },
  },
  {
    file: './features/documents/DocumentDetail.tsx',
    texts: ['./features/documents/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/documents/:id': {} },
  },
  {
    file: './features/reports/Reports.tsx',
    texts: ['./features/reports/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/reports': {} },
  },
  {
    file: './features/payments/Payments.tsx',
    texts: ['./features/payments/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/payments': {} },
  },
  {
    file: './features/exceptions/Exceptions.tsx',
    texts: ['./features/exceptions/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/exceptions': {} },
  },
  {
    file: './features/failed-events/FailedEvents.tsx',
    texts: ['./features/failed-events/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/failed-events': {} },
  },
  {
    file: './features/pricing/Pricing.tsx',
    texts: ['./features/pricing/texts.ts', '@karaar/ui'],
    paths: { '/admin/pricing': {} },
  },
  {
    file: './features/audit/Audit.tsx',
    texts: ['./features/audit/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/audit': {} },
  },
  {
    file: './features/security/Security.tsx',
    texts: ['./features/security/texts.ts', './shared/passkeys/texts.ts', './shared/texts.ts', '@karaar/ui'],
    paths: { '/admin/security': {} },
  },
  {
    file: './features/cms/CmsPages.tsx',
    texts: ['./features/cms/texts.ts', '@karaar/ui'],
    paths: { '/admin/cms': {} },
  },
  {
    file: './features/cms/CmsEditor.tsx',
    texts: ['./features/cms/texts.ts', '@karaar/ui'],
    paths: {
      '/admin/cms/about': { slug: 'about' },
      '/admin/cms/contact': { slug: 'contact' },
      '/admin/cms/terms': { slug: 'terms' },
      '/admin/cms/privacy': { slug: 'privacy' },
      '/admin/cms/law': { slug: 'law' },
    },
  },
] as const satisfies readonly ScreenFile[];
