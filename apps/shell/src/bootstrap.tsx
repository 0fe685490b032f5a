import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ApiError, sessionStore } from '@karaar/api-client';
import { startLanguage } from '@karaar/i18n';
import { visitorsLanguage } from '@karaar/i18n/languages';
import { UiProvider, uiTexts } from '@karaar/ui';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { layoutTexts } from './layout/texts.ts';
import './navigation/transition.css';
import { whenQuiet } from './navigation/when-quiet.ts';
import { keepAnswers } from './offline/kept-answers.ts';
import { offlineTexts } from './offline/texts.ts';
import { watchVersion } from './offline/version.ts';
import { withNetwork } from './offline/with-network.ts';
import { prefetchScreen } from './remotes/prefetch.ts';
import { remoteTexts } from './remotes/texts.ts';
import { decideRoute } from './routing/route-table.ts';
import { RouteGate } from './routing/RouteGate.tsx';
import { SessionProvider } from './session/SessionProvider.tsx';
import { sessionTexts } from './session/texts.ts';

/** Retry only missing responses and server failures; other responses would be the same. */
const worthRetry = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/**
 * Milliseconds until the retry: as long as the server asks for, else growing; randomised to spread
 * simultaneous retries.
 */
const retryDelay = (failures: number, error: Error) => {
  const retryAfterS = error instanceof ApiError ? error.retryAfterS : undefined;
  return (retryAfterS === undefined ? 2 ** failures : retryAfterS) * 1_000 * (1 + Math.random() / 2);
};

const texts = [uiTexts, layoutTexts, offlineTexts, remoteTexts, sessionTexts];

/** Requests the first screen before the first render; the screen's place shows a failure. */
function loadFirstScreen(queries: QueryClient): void {
  const visitor = {
    isAuthenticated: sessionStore.token() !== null,
    hasAdminToken: sessionStore.adminToken() !== null,
  };
  const { pathname } = window.location;
  const decision = decideRoute(pathname, '', visitor);
  prefetchScreen(queries, decision.kind === 'screen' ? pathname : decision.to).catch(() => undefined);
}

/** Mounts the app in the visitor's language. */
export async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const queries = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: worthRetry, retryDelay },
      // Without a network an action fails at once with a message; it must not run later unseen.
      mutations: { networkMode: 'always' },
    },
  });
  keepAnswers(queries);
  watchVersion();
  await startLanguage(visitorsLanguage());
  loadFirstScreen(queries);
  await Promise.all(texts.map((each) => each.load()));
  const page = (
    <QueryClientProvider client={queries}>
      <UiProvider>
        {/* A navigation is not a React transition: React would delay it until every suspended transition
            is ready. */}
        <BrowserRouter useTransitions={false}>
          <SessionProvider>
            <RouteGate />
          </SessionProvider>
        </BrowserRouter>
      </UiProvider>
    </QueryClientProvider>
  );
  // A transition renders in slices, so that a slow phone stays responsive.
  startTransition(() => createRoot(root).render(page));
  whenQuiet(queries, () => {
    withNetwork(() => import('./offline/worker.ts').then(({ startWorker }) => startWorker(queries)));
  });
}
