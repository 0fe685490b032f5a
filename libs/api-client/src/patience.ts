/** How long a call waits: as long for its answer as the route says, and as long again for each further piece of a file. */
export type Patience = {
  signal: AbortSignal;
  /** Something came: the waiting begins again. */
  renew: () => void;
  /** Nothing more is waited for. */
  end: () => void;
};

/** Waits for as many milliseconds; the signal's reason is a `TimeoutError`. */
export function patienceOf(ms: number): Patience {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const renew = () => {
    end();
    timer = setTimeout(() => controller.abort(new DOMException('No answer in time', 'TimeoutError')), ms);
  };
  renew();
  return { signal: controller.signal, renew, end };
}
