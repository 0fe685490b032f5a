import { applyStoredTheme } from './start/theme.ts';
import { showStartFailure } from './start/failure.ts';

// The shared modules (React and the like) are only there after this asynchronous step.
applyStoredTheme();
import('./bootstrap.tsx').then((app) => app.start()).catch(showStartFailure);
