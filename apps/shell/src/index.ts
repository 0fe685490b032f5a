import { applyStoredTheme } from './start/theme.ts';
import { showStartFailure } from './start/failure.ts';
import { fetchShellTexts } from './start/texts.ts';

// The shared modules (React and the like) are only there after this asynchronous step.
applyStoredTheme();
fetchShellTexts();
import('./bootstrap.tsx').then((app) => app.start()).catch(showStartFailure);
