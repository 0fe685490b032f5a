/** Camera and signature pad, fetched when a screen first shows one. */
import { lazy } from 'react';

export const CameraCapture = lazy(() => import('./CameraCapture.tsx'));
export const SignaturePad = lazy(() => import('./SignaturePad.tsx'));
