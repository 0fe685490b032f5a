/**
 * Does something under a lease that is made longer every `everyMs` meanwhile, so that a lease may be short and the work
 * long. `beat` answers whether the lease is ours still; when it is not, `work` is told by its signal. What `work` records
 * has to bear being recorded by another worker as well: a beat can come too late.
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
