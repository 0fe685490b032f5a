import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ApiError } from '@karaar/api-client';
import { UiProvider } from '@karaar/ui';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { RouteGate } from './routing/RouteGate.tsx';
import { SessionProvider } from './session/SessionProvider.tsx';

/** An answer of the server will be the same again; only a missing or a failing one is worth another try. */
const worthRetry = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Mounts the app. */
export function start(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 5_000, retry: worthRetry } } });
  createRoot(root).render(
    <QueryClientProvider client={queries}>
      <UiProvider>
        <BrowserRouter>
          <SessionProvider>
            <RouteGate />
          </SessionProvider>
        </BrowserRouter>
      </UiProvider>
    </QueryClientProvider>,
  );
}
