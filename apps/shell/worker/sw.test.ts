type Handler = (event: object) => void;

const handlers = new Map<string, Handler>();
const ORIGIN = 'https://karaar.example';
const refuse = () => Promise.reject(new DOMException('Unexpected internal error.', 'UnknownError'));
for (const [name, value] of Object.entries({
  self: {
    location: { origin: ORIGIN },
    addEventListener: (type: string, handle: Handler) => handlers.set(type, handle),
  },
  fetch: (request: { url: string }) => Promise.resolve(new Response(`network: ${request.url}`)),
}))
  Object.defineProperty(globalThis, name, { configurable: true, value });
await import('./sw.ts');

/** Returns the worker's answer to a request of a page. */
async function answerTo(path: string, mode: string): Promise<string> {
  let answer: Promise<Response> | undefined;
  handlers.get('fetch')?.({
    request: { method: 'GET', url: ORIGIN + path, mode },
    respondWith: (response: Promise<Response>) => (answer = response),
    // The browser reports what fails here, and the page has its answer.
    waitUntil: (work: Promise<unknown>) => void work.catch(() => undefined),
  });
  return (await answer)?.text() ?? 'not answered by the worker';
}

describe('a worker whose cache fails, on a full or damaged disk', () => {
  it.each([
    ['cannot be opened', { open: refuse }],
    ['cannot be read', { open: () => Promise.resolve({ match: refuse, put: refuse }) }],
  ])('answers from the network if it %s', async (_, caches) => {
    Object.defineProperty(globalThis, 'caches', { configurable: true, value: caches });
    for (const [path, mode] of [
      ['/dashboard', 'navigate'],
      ['/user/main.0123456789.js', 'no-cors'],
    ] as const)
      expect(await answerTo(path, mode)).toBe(`network: ${ORIGIN}${path}`);
  });
});

// Top-level await needs a module.
export {};
