/** Where this machine's Chromium, LibreOffice and kubectl are. */
export { chromiumPath, kustomizeCommand, sofficePath } from '../bootstrap/programs.mjs';
