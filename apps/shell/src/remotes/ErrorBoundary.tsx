import { useTexts } from '@karaar/i18n';
import { ErrorState, missingChunk, MissingPart, PageSkeleton, reloadIfReplaced } from '@karaar/ui';
import { Component, useEffect, useState, type ReactNode } from 'react';
import { remoteTexts } from './texts.ts';

type Props = {
  /** Another value begins anew: the path. */
  resetKey: string;
  /** Loads what could not be loaded; the children are drawn again after it, whatever came of it. */
  onRetry: () => Promise<unknown>;
  children: ReactNode;
};
type State = { failure: { error: unknown } | null; resetKey: string };

/** Keeps a failing screen from taking the shell with it. Another path, or the button, tries again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error } };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return state.resetKey === props.resetKey ? null : { failure: null, resetKey: props.resetKey };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    const again = () =>
      this.props.onRetry().then(
        () => this.setState({ failure: null }),
        // What is missing is still missing: the screen says so again when it is drawn.
        () => this.setState({ failure: null }),
      );
    return <FailureCard key={this.props.resetKey} error={failure.error} onRetry={again} />;
  }
}

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
