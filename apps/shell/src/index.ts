import { start } from './bootstrap.tsx';
import { showStartFailure } from './start/failure.ts';

/** Starts the app in a new task, so that a tap after parsing is handled first. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

breathe().then(start).catch(showStartFailure);
