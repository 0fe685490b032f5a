import { useTexts } from '@karaar/i18n';
import { ErrorState, missingChunk, MissingPart, PageSkeleton, reloadIfReplaced } from '@karaar/ui';
import { useEffect, useState, type ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { remoteTexts } from './texts.ts';

type Props = {
  /** Another value begins again: the path. */
  resetKey: string;
  /** Loads what could not be loaded; the children are drawn again after it, whatever came of it. */
  onRetry: () => Promise<unknown>;
  children: ReactNode;
};

/** Keeps a failing screen from taking the shell with it. Another path, or the button, tries again. */
export const ScreenBoundary = ({ resetKey, onRetry, children }: Props) => (
  <ErrorBoundary
    resetKeys={[resetKey]}
    fallbackRender={({ error, resetErrorBoundary }) => (
      // What is still missing after the retry says so again when it is drawn.
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

/** Says what failed and offers another try; a page that a deploy left behind loads itself again, once. */
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
