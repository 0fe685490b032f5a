/**
 * The timeout of a request: the route's timeout for the response, and again for each further piece of a file.
 */
export type Patience = {
  signal: AbortSignal;
  /** Restarts the timeout after a piece. */
  renew: () => void;
  /** Stops the timeout. */
  end: () => void;
};

/** Returns a timeout in milliseconds; the signal's reason is a `TimeoutError`. */
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
