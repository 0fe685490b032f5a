import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ApiError, sessionStore } from '@karaar/api-client';
import { startLanguage } from '@karaar/i18n';
import { visitorsLanguage } from '@karaar/i18n/languages';
import { UiProvider, uiTexts } from '@karaar/ui';
import { prepareFormats } from '@karaar/ui/format';
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

/** An answer of the server will be the same again; only a missing or a failing one is worth another try. */
const worthRetry = (failures: number, error: Error) =>
  failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Milliseconds until then: as long as the server asks for, else longer each time; not the same for all who failed together. */
const retryDelay = (failures: number, error: Error) => {
  const asked = error instanceof ApiError ? error.retryAfterS : undefined;
  return (asked === undefined ? 2 ** failures : asked) * 1_000 * (1 + Math.random() / 2);
};

/** What the frame around every screen says. */
const texts = [uiTexts, layoutTexts, offlineTexts, remoteTexts, sessionTexts];

/** Asks for the first screen before anything is drawn; a failure shows where the screen would stand. */
function loadFirstScreen(queries: QueryClient): void {
  const visitor = {
    isAuthenticated: sessionStore.token() !== null,
    hasAdminToken: sessionStore.adminToken() !== null,
  };
  const { pathname } = window.location;
  const decision = decideRoute(pathname, '', visitor);
  prefetchScreen(queries, decision.kind === 'screen' ? pathname : decision.to).catch(() => undefined);
}

/** Mounts the app, in the visitor's language. */
export async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root');
  const queries = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: worthRetry, retryDelay },
      // An action without a network fails at once with a message; it is not queued to run later unseen.
      mutations: { networkMode: 'always' },
    },
  });
  keepAnswers(queries);
  watchVersion();
  await startLanguage(visitorsLanguage());
  loadFirstScreen(queries);
  if (sessionStore.token() !== null || sessionStore.adminToken() !== null) prepareFormats();
  await Promise.all(texts.map((each) => each.load()));
  const page = (
    <QueryClientProvider client={queries}>
      <UiProvider>
        {/* A navigation is not a React transition: React would delay it until every suspended transition is ready. */}
        <BrowserRouter useTransitions={false}>
          <SessionProvider>
            <RouteGate />
          </SessionProvider>
        </BrowserRouter>
      </UiProvider>
    </QueryClientProvider>
  );
  // A transition is drawn in slices: a slow phone stays responsive meanwhile.
  startTransition(() => createRoot(root).render(page));
  whenQuiet(queries, () => {
    withNetwork(() => import('./offline/worker.ts').then(({ startWorker }) => startWorker(queries)));
  });
}
