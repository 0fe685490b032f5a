import { start } from './bootstrap.tsx';
import { showStartFailure } from './start/failure.ts';

/** The code has been read; what it does first is another task, so that a tap in between is not kept waiting. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

breathe().then(start).catch(showStartFailure);
