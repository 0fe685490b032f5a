import { chromiumPath, sofficePath } from './machine/programs.mjs';

/**
 * The paths of Chromium and LibreOffice, found as the product finds them: by variable, path and usual places.
 */

export const CHROMIUM = chromiumPath(process.env, process.env['PATH'] ?? '') ?? 'chromium';
export const SOFFICE = sofficePath(process.env, process.env['PATH'] ?? '') ?? 'soffice';
