import { reloadFailed, useTexts } from '@karaar/i18n';
import { useState, type ReactNode } from 'react';
import { ErrorBoundary } from 'react-error-boundary';
import { uiTexts } from '../texts.ts';
import { missingChunk, reloadIfReplaced } from './stale-build.ts';
import { ErrorState } from './States.tsx';

/** Renders the placeholder of a part that could not be loaded. */
export type Missing = (again: () => void, trying: boolean) => ReactNode;

type Props = {
  missing?: Missing;
  /** Replaces a part that fails for any other reason; without it the whole screen fails. */
  broken?: ReactNode;
  /** Another value resets the boundary. */
  resetKey?: unknown;
  children: ReactNode;
};

/**
 * Protects the surroundings of a part whose code cannot be loaded (no network, a deploy): a form behind a
 * dialog keeps its input. Other errors go to the screen's boundary, unless `broken` replaces the part.
 */
export const LoadBoundary = ({ missing, broken, resetKey, children }: Props) => (
  <ErrorBoundary
    resetKeys={[resetKey]}
    onError={(error) => void reloadIfReplaced(error)}
    fallbackRender={(failure) => {
      if (missingChunk(failure.error) === null) {
        if (broken === undefined) throw failure.error;
        return broken;
      }
      return <InPlace again={failure.resetErrorBoundary} missing={missing} />;
    }}
  >
    {children}
  </ErrorBoundary>
);

function InPlace({ again, missing }: { again: () => void; missing: Missing | undefined }) {
  const [trying, setTrying] = useState(false);
  const retry = () => {
    setTrying(true);
    void reloadFailed().then(again);
  };
  return missing ? missing(retry, trying) : <MissingPart onRetry={retry} retrying={trying} />;
}

/** Shows that a part is missing, with a retry button. */
export function MissingPart(props: { onRetry: () => void; retrying: boolean }) {
  const t = useTexts(uiTexts);
  return <ErrorState title={t('missing')} text={t('missingHelp')} {...props} />;
}
