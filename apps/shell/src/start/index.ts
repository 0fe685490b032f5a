/**
 * Runs before everything else and stands alone: it puts the theme on the page before anything is drawn, and stands
 * in for the app when a script of the page cannot be loaded or is not what it should be.
 */
import { showStartFailure } from './failure.ts';
import { applyStoredTheme } from './theme.ts';

applyStoredTheme();
window.addEventListener(
  'error',
  ({ target }) => {
    // The page's own scripts are deferred; those that the app loads later have somebody who waits for them.
    if (target instanceof HTMLScriptElement && target.defer) {
      showStartFailure(new Error(`${target.src} could not be loaded`));
    }
  },
  true,
);
