/** The face of rendering: plain data, bytes and file paths in and out. What else is here is its own. */
export { createRenderer } from './compose.ts';
export { createGate } from './deadline.ts';
export { RenderError, type RenderErrorCode } from './errors.ts';
export { fontFaces, SANS } from './fonts/fonts.ts';
export { pixelsOf, probeImage, type Pixels } from './images.ts';
export { DEFAULT_LIMITS } from './limits.ts';
export { photoWords, withSources } from './photo-words.ts';
export { escapeHtml } from './templates/html.ts';
export type * from './types.ts';
