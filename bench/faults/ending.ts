/** Why a run ends before its last kill: a signal stops it, or its time is over. It then judges what it has. */

/** How the run ends early: `reason` of the signal is a text for the report. */
export type Ending = {
  readonly signal: AbortSignal;
  /** Whether a caller waits for the end now, such as a shell that sends SIGKILL next. */
  readonly hurried: () => boolean;
};

/** @param seconds after which no more is killed; no limit when absent */
export function endingOf(seconds: number | undefined): Ending {
  const control = new AbortController();
  let hurried = false;
  const told = (name: NodeJS.Signals): void => {
    if (hurried) process.exit(1);
    hurried = true;
    control.abort(`told to end by ${name}`);
  };
  process.on('SIGTERM', told);
  process.on('SIGINT', told);
  if (seconds !== undefined)
    setTimeout(() => control.abort(`its ${seconds} s were over`), seconds * 1_000).unref();
  return { signal: control.signal, hurried: () => hurried };
}
