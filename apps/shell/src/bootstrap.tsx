import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ApiError } from '@karaar/api-client';
import { startLanguage } from '@karaar/i18n';
import { visitorsLanguage } from '@karaar/i18n/languages';
import { UiProvider, uiTexts } from '@karaar/ui';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { layoutTexts } from './layout/texts.ts';
import { remoteTexts } from './remotes/texts.ts';
import { RouteGate } from './routing/RouteGate.tsx';
import { SessionProvider } from './session/SessionProvider.tsx';
import { sessionTexts } from './session/texts.ts';

/** An answer of the server will be the same again; only a missing or a failing one is worth another try. */
const worthRetry = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** What the frame around every screen says. */
const texts = [uiTexts, layoutTexts, remoteTexts, sessionTexts];

/** Mounts the app, in the visitor's language. */
export async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  await startLanguage(visitorsLanguage());
  await Promise.all(texts.map((each) => each.load()));
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
