import { lazy } from 'react';
import type { RouteObject } from 'react-router';

const Login = lazy(() => import('./features/auth/Login.tsx'));
const Register = lazy(() => import('./features/auth/Register.tsx'));
const Dashboard = lazy(() => import('./features/dashboard/Dashboard.tsx'));

/** The screens that the shell mounts. Each is a chunk of its own, loaded when its path is opened. */
export const routes: RouteObject[] = [
  { path: '/login', element: <Login /> },
  { path: '/register', element: <Register /> },
  { path: '/dashboard', element: <Dashboard /> },
];
