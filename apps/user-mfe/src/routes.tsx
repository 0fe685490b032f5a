import { screensOf } from '@karaar/i18n';
import { partTexts } from '@karaar/ui';
import type { RouteObject } from 'react-router';
import { authTexts } from './features/auth/texts.ts';
import { invitationTexts } from './features/invitation/texts.ts';
import { cameraTestTexts } from './features/camera/texts.ts';
import { chatTexts } from './features/chat/texts.ts';
import { createTexts } from './features/create/texts.ts';
import { dashboardTexts } from './shared/catalogs/dashboard/texts.ts';
import { detailTexts } from './shared/catalogs/detail/texts.ts';
import { joinTexts } from './features/join/texts.ts';
import { notificationTexts } from './features/notifications/texts.ts';
import { paymentTexts } from './shared/catalogs/payment/texts.ts';
import { pricingTexts } from './features/pricing/texts.ts';
import { profileTexts } from './shared/catalogs/profile/texts.ts';
import { verificationTexts } from './features/verification/texts.ts';
import { verifyTexts } from './features/verify/texts.ts';
import { walletTexts } from './features/wallet/texts.ts';
import { welcomeTexts } from './features/welcome/texts.ts';
import { sharedTexts } from './shared/texts.ts';
import { screens } from './screens.ts';

const made = screensOf(
  screens,
  {
    './features/auth/Login.tsx': () => import('./features/auth/Login.tsx'),
    './features/auth/Register.tsx': () => import('./features/auth/Register.tsx'),
    './features/invitation/Invitation.tsx': () => import('./features/invitation/Invitation.tsx'),
    './features/invitation/StopInvitations.tsx': () => import('./features/invitation/StopInvitations.tsx'),
    './features/camera/CameraTest.tsx': () => import('./features/camera/CameraTest.tsx'),
    './features/dashboard/Dashboard.tsx': () => import('./features/dashboard/Dashboard.tsx'),
    './features/create/Create.tsx': () => import('./features/create/Create.tsx'),
    './features/join/Join.tsx': () => import('./features/join/Join.tsx'),
    './features/detail/Detail.tsx': () => import('./features/detail/Detail.tsx'),
    './features/verify/Verify.tsx': () => import('./features/verify/Verify.tsx'),
    './features/payment/PaymentPage.tsx': () => import('./features/payment/PaymentPage.tsx'),
    './features/wallet/Wallet.tsx': () => import('./features/wallet/Wallet.tsx'),
    './features/profile/Profile.tsx': () => import('./features/profile/Profile.tsx'),
    './features/chat/Chat.tsx': () => import('./features/chat/Chat.tsx'),
    './features/pricing/Pricing.tsx': () => import('./features/pricing/Pricing.tsx'),
    './features/notifications/Notifications.tsx': () => import('./features/notifications/Notifications.tsx'),
    './features/notifications/NotificationSettings.tsx': () =>
      import('./features/notifications/NotificationSettings.tsx'),
    './features/welcome/StaticPage.tsx': () =>
      import(/* webpackChunkName: "public" */ './features/welcome/StaticPage.tsx'),
    './features/welcome/Welcome.tsx': () => import('./features/welcome/Welcome.tsx'),
    './features/welcome/Help.tsx': () =>
      import(/* webpackChunkName: "public" */ './features/welcome/Help.tsx'),
    './features/welcome/PublicPage.tsx': () =>
      import(/* webpackChunkName: "public" */ './features/welcome/PublicPage.tsx'),
  },
  {
    './features/auth/texts.ts': authTexts,
    './features/invitation/texts.ts': invitationTexts,
    './features/camera/texts.ts': cameraTestTexts,
    './features/chat/texts.ts': chatTexts,
    './features/create/texts.ts': createTexts,
    './shared/catalogs/dashboard/texts.ts': dashboardTexts,
    './shared/catalogs/detail/texts.ts': detailTexts,
    './features/join/texts.ts': joinTexts,
    './features/notifications/texts.ts': notificationTexts,
    './shared/catalogs/payment/texts.ts': paymentTexts,
    './features/pricing/texts.ts': pricingTexts,
    './shared/catalogs/profile/texts.ts': profileTexts,
    './features/verification/texts.ts': verificationTexts,
    './features/verify/texts.ts': verifyTexts,
    './features/wallet/texts.ts': walletTexts,
    './features/welcome/texts.ts': welcomeTexts,
    './shared/texts.ts': sharedTexts,
    '@karaar/ui': partTexts,
  },
);

/** The screens that the shell mounts. Each is a chunk, loaded with its texts when its path is opened. */
export const routes: RouteObject[] = Object.values(made).flatMap((screen) => screen.routes);
