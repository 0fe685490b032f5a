/**
 * Runs `work` under a lease that is renewed every `everyMs`, so that a short lease can cover long work.
 * `beat` returns true while the lease is held; if not, the signal of `work` is aborted. A renewal can come
 * too late, so another worker may record the same results.
 */
export async function whileBeating<T>(
  options: { everyMs: number; beat: () => Promise<boolean>; onError: (error: unknown) => void },
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const { everyMs, beat, onError } = options;
  const lost = new AbortController();
  const timer = setInterval(() => {
    beat().then((kept) => kept || lost.abort(), onError);
  }, everyMs);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
  }
}
