/**
 * The parts of rendering that start no program: data, words, fonts, images and errors. The renderer is in
 * `@karaar/rendering/renderer`.
 */
export { asRenderError, createConcurrencyLimit } from './processes/deadline.ts';
export { RENDER_ERROR_CODES, RenderError, type RenderErrorCode } from './errors.ts';
export { fontFaces, SANS } from './fonts/fonts.ts';
export { pixelsOf, probeImage, type Pixels } from './images.ts';
export { DEFAULT_LIMITS } from './limits.ts';
export { withSources } from './templates/photo-words.ts';
export { SEAL_NOTES } from './templates/seal-notes.ts';
export { escapeHtml } from './templates/html.ts';
export type * from './types.ts';
