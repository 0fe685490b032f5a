/** Where this machine's Chromium and LibreOffice are. */
export { chromiumPath, sofficePath } from '../bootstrap/programs.mjs';
