import { start } from './bootstrap.tsx';
import { showStartFailure } from './start/failure.ts';

start().catch(showStartFailure);
