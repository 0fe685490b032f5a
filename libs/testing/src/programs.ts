import { chromiumPath, sofficePath } from './machine/programs.mjs';

/** Where tests find Chromium and LibreOffice: as the product does, by variable, path and usual places. */

export const CHROMIUM = chromiumPath(process.env, process.env['PATH'] ?? '') ?? 'chromium';
export const SOFFICE = sofficePath(process.env, process.env['PATH'] ?? '') ?? 'soffice';
