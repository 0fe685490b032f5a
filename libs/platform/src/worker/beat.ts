/**
 * Does something under a lease that is made longer every `everyMs` meanwhile, so that a lease may be short and the
 * work long. `beat` returns whether the lease is still ours; when it is not, the signal of `work` is aborted. Another
 * worker may record the same results as `work`, because a beat can come too late.
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
