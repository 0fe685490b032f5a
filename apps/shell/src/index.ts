import { showStartFailure } from './start/failure.ts';

/** Ends the task, so that the browser can handle a tap in between. */
const breathe = () => new Promise((resolve) => setTimeout(resolve));

/** Evaluates React, evaluates the app and starts it: three tasks, because one would block a slow phone for 0.2 s. */
async function startApp(): Promise<void> {
  await breathe();
  await import(/* webpackMode: "eager" */ 'react-dom/client');
  await breathe();
  const { start } = await import(/* webpackMode: "eager" */ './bootstrap.tsx');
  await breathe();
  await start();
}

startApp().catch(showStartFailure);
