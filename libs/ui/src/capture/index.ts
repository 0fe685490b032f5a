/** Camera and signature pad, loaded when a screen first shows one. */
import { screen } from '@karaar/i18n';
import { captureTexts } from './texts.ts';

export const CameraCapture = screen(() => import('./CameraCapture.tsx'), [captureTexts]);
export const SignaturePad = screen(() => import('./SignaturePad.tsx'), [captureTexts]);
export { takesByItself } from './by-itself.ts';
export type { CaptureHint } from './guidance/frame.ts';
export type { PhotoOrigin } from './photo.ts';
export type { Signed, SignMethod } from './signature/picture.ts';
