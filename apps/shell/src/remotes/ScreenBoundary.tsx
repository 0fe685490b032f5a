import { useTexts } from '@karaar/i18n';
import { ErrorState, missingChunk, MissingPart, PageSkeleton, reloadIfReplaced } from '@karaar/ui';
import { useEffect, useState, type ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { remoteTexts } from './texts.ts';

type Props = {
  /** Another value, the path, resets the boundary. */
  resetKey: string;
  /** Loads the failed code; the children render again afterwards in any case. */
  onRetry: () => Promise<unknown>;
  children: ReactNode;
};

/** Keeps the shell alive when a screen fails. Another path, or the button, retries. */
export const ScreenBoundary = ({ resetKey, onRetry, children }: Props) => (
  <ErrorBoundary
    resetKeys={[resetKey]}
    fallbackRender={({ error, resetErrorBoundary }) => (
      // If something is still missing after the retry, the render fails again.
      <FailureCard
        key={resetKey}
        error={error}
        onRetry={() => onRetry().then(resetErrorBoundary, resetErrorBoundary)}
      />
    )}
  >
    {children}
  </ErrorBoundary>
);

/** Shows the failure and offers a retry; after a deploy replaced the files, the page reloads once. */
function FailureCard({ error, onRetry }: { error: unknown; onRetry: () => Promise<unknown> }) {
  const t = useTexts(remoteTexts);
  const chunk = missingChunk(error) !== null;
  const [checking, setChecking] = useState(chunk);
  const [retrying, setRetrying] = useState(false);
  useEffect(() => {
    if (!chunk) return;
    let here = true;
    void reloadIfReplaced(error).then((reloading) => here && setChecking(reloading));
    return () => {
      here = false;
    };
  }, [chunk, error]);
  if (checking) return <PageSkeleton />;
  const retry = () => {
    setRetrying(true);
    void onRetry();
  };
  if (chunk) return <MissingPart onRetry={retry} retrying={retrying} />;
  return <ErrorState title={t('failed')} text={t('failedHelp')} onRetry={retry} retrying={retrying} />;
}
