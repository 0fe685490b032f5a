import { screen } from '@karaar/i18n';
import { partTexts } from '@karaar/ui';
import type { RouteObject } from 'react-router';
import { auditTexts } from './features/audit/texts.ts';
import { cmsTexts } from './features/cms/texts.ts';
import { documentsTexts } from './features/documents/texts.ts';
import { loginTexts } from './features/login/texts.ts';
import { overviewTexts } from './features/overview/texts.ts';
import { paymentsTexts } from './features/payments/texts.ts';
import { pricingTexts } from './features/pricing/texts.ts';
import { reportsTexts } from './features/reports/texts.ts';
import { sealTexts } from './features/seal/texts.ts';
import { securityTexts } from './features/security/texts.ts';
import { usersTexts } from './features/users/texts.ts';
import { layoutTexts } from './layout/texts.ts';
import { sharedTexts } from './shared/texts.ts';

const AdminLayout = screen(() => import('./layout/AdminLayout.tsx'), [layoutTexts, sealTexts, sharedTexts]);
const Login = screen(() => import('./features/login/Login.tsx'), [loginTexts, sharedTexts, partTexts]);
const Overview = screen(() => import('./features/overview/Overview.tsx'), [overviewTexts, partTexts]);
const Users = screen(() => import('./features/users/Users.tsx'), [usersTexts, sharedTexts, partTexts]);
const Documents = screen(
  () => import('./features/documents/Documents.tsx'),
  [documentsTexts, sharedTexts, partTexts],
);
const DocumentDetail = screen(
  () => import('./features/documents/DocumentDetail.tsx'),
  [documentsTexts, sharedTexts, partTexts],
);
const Reports = screen(
  () => import('./features/reports/Reports.tsx'),
  [reportsTexts, sharedTexts, partTexts],
);
const Payments = screen(
  () => import('./features/payments/Payments.tsx'),
  [paymentsTexts, sharedTexts, partTexts],
);
const Pricing = screen(() => import('./features/pricing/Pricing.tsx'), [pricingTexts, partTexts]);
const Audit = screen(() => import('./features/audit/Audit.tsx'), [auditTexts, sharedTexts, partTexts]);
const Security = screen(() => import('./features/security/Security.tsx'), [securityTexts, partTexts]);
const CmsPages = screen(() => import('./features/cms/CmsPages.tsx'), [cmsTexts, partTexts]);
const CmsEditor = screen(() => import('./features/cms/CmsEditor.tsx'), [cmsTexts, partTexts]);

/** The screens that the shell mounts under /admin. Each is a chunk of its own; who may open it: contracts/screens.ts. */
export const routes: RouteObject[] = [
  { path: '/admin/login', element: <Login /> },
  {
    element: <AdminLayout />,
    children: [
      { path: '/admin/overview', element: <Overview /> },
      { path: '/admin/users', element: <Users /> },
      { path: '/admin/documents', element: <Documents /> },
      { path: '/admin/documents/:id', element: <DocumentDetail /> },
      { path: '/admin/reports', element: <Reports /> },
      { path: '/admin/payments', element: <Payments /> },
      { path: '/admin/pricing', element: <Pricing /> },
      { path: '/admin/audit', element: <Audit /> },
      { path: '/admin/security', element: <Security /> },
      { path: '/admin/cms', element: <CmsPages /> },
      { path: '/admin/cms/about', element: <CmsEditor slug="about" /> },
      { path: '/admin/cms/contact', element: <CmsEditor slug="contact" /> },
      { path: '/admin/cms/terms', element: <CmsEditor slug="terms" /> },
      { path: '/admin/cms/privacy', element: <CmsEditor slug="privacy" /> },
    ],
  },
];
