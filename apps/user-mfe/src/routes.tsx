import { lazy } from 'react';
import type { RouteObject } from 'react-router';

const Login = lazy(() => import('./features/auth/Login.tsx'));
const Register = lazy(() => import('./features/auth/Register.tsx'));
const CameraTest = lazy(() => import('./features/camera/CameraTest.tsx'));
const Dashboard = lazy(() => import('./features/dashboard/Dashboard.tsx'));
const Create = lazy(() => import('./features/create/Create.tsx'));
const Join = lazy(() => import('./features/join/Join.tsx'));
const Detail = lazy(() => import('./features/detail/Detail.tsx'));
const PaymentPage = lazy(() => import('./features/payment/PaymentPage.tsx'));
const Wallet = lazy(() => import('./features/wallet/Wallet.tsx'));
const Profile = lazy(() => import('./features/profile/Profile.tsx'));
const Pricing = lazy(() => import('./features/pricing/Pricing.tsx'));
const StaticPage = lazy(() => import('./features/pages/StaticPage.tsx'));

/** The screens that the shell mounts. Each is a chunk of its own, loaded when its path is opened. */
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
  { path: '/pricing', element: <Pricing /> },
  { path: '/about', element: <StaticPage slug="about" /> },
  { path: '/contact', element: <StaticPage slug="contact" /> },
  { path: '/terms', element: <StaticPage slug="terms" /> },
  { path: '/privacy', element: <StaticPage slug="privacy" /> },
];
