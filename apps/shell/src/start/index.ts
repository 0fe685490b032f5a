/**
 * Runs before everything else and is alone: it puts the theme on the page before anything is drawn, asks for what
 * the first screen will show, and stands in for the app when a script of the page cannot be loaded or is not what it
 * should be.
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
window.addEventListener(
  'error',
  ({ target }) => {
    // The page's own scripts are deferred; those that the app loads later keep the user waiting.
    if (target instanceof HTMLScriptElement && target.defer) {
      showStartFailure(new Error(`${target.src} could not be loaded`));
    }
  },
  true,
);
