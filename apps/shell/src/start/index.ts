/**
 * Runs first, as a separate script: applies the theme before the first paint, requests the data of the first
 * screen, and shows a failure if a script of the page cannot be loaded or has a wrong hash.
 */
import { askEarly } from '@karaar/api-client/early';
import { showStartFailure } from './failure.ts';
import { firstCalls } from './first-calls.ts';
import { standInForStorage } from './storage.ts';
import { applyStoredTheme } from './theme.ts';

standInForStorage();
applyStoredTheme();
const token = localStorage.getItem('token');
if (token) askEarly(firstCalls(location.pathname, location.search), token);
// The browser's first number format loads its language data, 90 ms on a slow phone: now, while the page waits for files.
if (token ?? localStorage.getItem('admin_token')) setTimeout(() => new Intl.NumberFormat());
window.addEventListener(
  'error',
  ({ target }) => {
    // Only the page's own scripts are deferred; the app handles those that it loads later.
    if (target instanceof HTMLScriptElement && target.defer) {
      showStartFailure(new Error(`${target.src} could not be loaded`));
    }
  },
  true,
);
