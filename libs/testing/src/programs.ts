import { printerPath, sofficePath } from './machine/programs.mjs';

/**
 * The paths of the Chromium that prints and of LibreOffice, found as the product finds them: by variable, path and usual places.
 */

export const CHROMIUM = printerPath(process.env, process.env['PATH'] ?? '') ?? 'chromium';
export const SOFFICE = sofficePath(process.env, process.env['PATH'] ?? '') ?? 'soffice';
