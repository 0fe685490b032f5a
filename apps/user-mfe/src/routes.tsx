import { screen } from '@karaar/i18n';
import { partTexts } from '@karaar/ui';
import type { RouteObject } from 'react-router';
import { authTexts } from './features/auth/texts.ts';
import { cameraTestTexts } from './features/camera/texts.ts';
import { chatTexts } from './features/chat/texts.ts';
import { createTexts } from './features/create/texts.ts';
import { dashboardTexts } from './features/dashboard/texts.ts';
import { detailTexts } from './features/detail/texts.ts';
import { joinTexts } from './features/join/texts.ts';
import { pageTexts } from './features/pages/texts.ts';
import { paymentTexts } from './features/payment/texts.ts';
import { pricingTexts } from './features/pricing/texts.ts';
import { profileTexts } from './features/profile/texts.ts';
import { verificationTexts } from './features/verification/texts.ts';
import { verifyTexts } from './features/verify/texts.ts';
import { walletTexts } from './features/wallet/texts.ts';
import { sharedTexts } from './shared/texts.ts';

const Login = screen(() => import('./features/auth/Login.tsx'), [authTexts]);
const Register = screen(() => import('./features/auth/Register.tsx'), [authTexts, sharedTexts]);
const CameraTest = screen(() => import('./features/camera/CameraTest.tsx'), [cameraTestTexts]);
const Dashboard = screen(() => import('./features/dashboard/Dashboard.tsx'), [dashboardTexts, partTexts]);
const Create = screen(
  () => import('./features/create/Create.tsx'),
  [createTexts, sharedTexts, verificationTexts, partTexts],
);
const Join = screen(() => import('./features/join/Join.tsx'), [joinTexts, sharedTexts, verificationTexts]);
const Detail = screen(
  () => import('./features/detail/Detail.tsx'),
  [detailTexts, paymentTexts, sharedTexts, verificationTexts, verifyTexts, partTexts],
);
const Verify = screen(() => import('./features/verify/Verify.tsx'), [verifyTexts]);
const PaymentPage = screen(() => import('./features/payment/PaymentPage.tsx'), [paymentTexts]);
const Wallet = screen(() => import('./features/wallet/Wallet.tsx'), [walletTexts]);
const Profile = screen(() => import('./features/profile/Profile.tsx'), [profileTexts, sharedTexts]);
const Chat = screen(() => import('./features/chat/Chat.tsx'), [chatTexts, partTexts]);
const Pricing = screen(() => import('./features/pricing/Pricing.tsx'), [pricingTexts, partTexts]);
const StaticPage = screen(() => import('./features/pages/StaticPage.tsx'), [pageTexts]);

/** The screens that the shell mounts. Each is a chunk of its own, loaded with its texts when its path is opened. */
export const routes: RouteObject[] = [
  { path: '/login', element: <Login /> },
  { path: '/register', element: <Register /> },
  { path: '/camera', element: <CameraTest /> },
  { path: '/dashboard', element: <Dashboard /> },
  { path: '/document/create', element: <Create /> },
  { path: '/document/join', element: <Join /> },
  { path: '/document/:id', element: <Detail /> },
  { path: '/document/:id/payment', element: <PaymentPage /> },
  { path: '/wallet', element: <Wallet /> },
  { path: '/profile', element: <Profile /> },
  { path: '/chat', element: <Chat /> },
  { path: '/chat/:userId', element: <Chat /> },
  { path: '/pricing', element: <Pricing /> },
  { path: '/verify', element: <Verify /> },
  { path: '/verify/:code', element: <Verify /> },
  { path: '/about', element: <StaticPage slug="about" /> },
  { path: '/contact', element: <StaticPage slug="contact" /> },
  { path: '/terms', element: <StaticPage slug="terms" /> },
  { path: '/privacy', element: <StaticPage slug="privacy" /> },
];
