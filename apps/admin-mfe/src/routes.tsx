import { screensOf } from '@karaar/i18n';
import { partTexts } from '@karaar/ui';
import type { RouteObject } from 'react-router';
import { auditTexts } from './features/audit/texts.ts';
import { cmsTexts } from './features/cms/texts.ts';
import { documentsTexts } from './features/documents/texts.ts';
import { exceptionsTexts } from './features/exceptions/texts.ts';
import { failedEventsTexts } from './features/failed-events/texts.ts';
import { loginTexts } from './features/login/texts.ts';
import { overviewTexts } from './features/overview/texts.ts';
import { paymentsTexts } from './features/payments/texts.ts';
import { pricingTexts } from './features/pricing/texts.ts';
import { reportsTexts } from './features/reports/texts.ts';
import { sealTexts } from './features/seal/texts.ts';
import { securityTexts } from './features/security/texts.ts';
import { usersTexts } from './features/users/texts.ts';
import { layoutTexts } from './layout/texts.ts';
import { passkeyTexts } from './shared/passkeys/texts.ts';
import { sharedTexts } from './shared/texts.ts';
import { screens } from './screens.ts';

const made = screensOf(
  screens,
  {
    './layout/AdminLayout.tsx': () => import('./layout/AdminLayout.tsx'),
    './features/login/Login.tsx': () => import('./features/login/Login.tsx'),
    './features/overview/Overview.tsx': () => import('./features/overview/Overview.tsx'),
    './features/users/Users.tsx': () => import('./features/users/Users.tsx'),
    './features/documents/Documents.tsx': () => import('./features/documents/Documents.tsx'),
    './features/documents/DocumentDetail.tsx': () => import('./features/documents/DocumentDetail.tsx'),
    './features/reports/Reports.tsx': () => import('./features/reports/Reports.tsx'),
    './features/payments/Payments.tsx': () => import('./features/payments/Payments.tsx'),
    './features/exceptions/Exceptions.tsx': () => import('./features/exceptions/Exceptions.tsx'),
    './features/failed-events/FailedEvents.tsx': () => import('./features/failed-events/FailedEvents.tsx'),
    './features/pricing/Pricing.tsx': () => import('./features/pricing/Pricing.tsx'),
    './features/audit/Audit.tsx': () => import('./features/audit/Audit.tsx'),
    './features/security/Security.tsx': () => import('./features/security/Security.tsx'),
    './features/cms/CmsPages.tsx': () => import('./features/cms/CmsPages.tsx'),
    './features/cms/CmsEditor.tsx': () => import('./features/cms/CmsEditor.tsx'),
  },
  {
    './features/audit/texts.ts': auditTexts,
    './features/cms/texts.ts': cmsTexts,
    './features/documents/texts.ts': documentsTexts,
    './features/exceptions/texts.ts': exceptionsTexts,
    './features/failed-events/texts.ts': failedEventsTexts,
    './features/login/texts.ts': loginTexts,
    './features/overview/texts.ts': overviewTexts,
    './features/payments/texts.ts': paymentsTexts,
    './features/pricing/texts.ts': pricingTexts,
    './features/reports/texts.ts': reportsTexts,
    './features/seal/texts.ts': sealTexts,
    './features/security/texts.ts': securityTexts,
    './features/users/texts.ts': usersTexts,
    './layout/texts.ts': layoutTexts,
    './shared/passkeys/texts.ts': passkeyTexts,
    './shared/texts.ts': sharedTexts,
    '@karaar/ui': partTexts,
  },
);

const { './features/login/Login.tsx': login, './layout/AdminLayout.tsx': layout, ...inside } = made;

/** The screens that the shell mounts under /admin, each a chunk. Access rules: contracts/screens.ts. */
export const routes: RouteObject[] = [
  ...login.routes,
  {
    element: <layout.Screen />,
    children: Object.values(inside).flatMap((screen) => screen.routes),
  },
];
