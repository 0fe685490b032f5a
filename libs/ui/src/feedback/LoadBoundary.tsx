import { reloadFailed, useTexts } from '@karaar/i18n';
import { Component, type ReactNode } from 'react';
import { uiTexts } from '../texts.ts';
import { missingChunk, reloadIfReplaced } from './stale-build.ts';
import { ErrorState } from './States.tsx';

/** What stands in the place of a part that could not be loaded. */
export type Missing = (again: () => void, trying: boolean) => ReactNode;

type Props = {
  missing?: Missing;
  /** Another value begins anew. */
  resetKey?: unknown;
  children: ReactNode;
};
type State = { failure: { error: unknown } | null; trying: boolean; resetKey: unknown };

/**
 * Keeps what is around a part when the part's code cannot be loaded (no network, a deploy): a form behind a dialog
 * keeps what was typed. Every other error goes on to the screen's own boundary.
 */
export class LoadBoundary extends Component<Props, State> {
  override state: State = { failure: null, trying: false, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { failure: { error }, trying: false };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    return state.resetKey === resetKey ? null : { failure: null, resetKey };
  }

  override componentDidCatch(error: unknown): void {
    void reloadIfReplaced(error);
  }

  override render(): ReactNode {
    const { failure, trying } = this.state;
    if (!failure) return this.props.children;
    if (missingChunk(failure.error) === null) throw failure.error;
    const again = () => {
      this.setState({ trying: true });
      void reloadFailed().then(() => this.setState({ failure: null, trying: false }));
    };
    const { missing } = this.props;
    return missing ? missing(again, trying) : <MissingPart onRetry={again} retrying={trying} />;
  }
}

/** Says that a part is missing, and asks for it again. */
export function MissingPart(props: { onRetry: () => void; retrying: boolean }) {
  const t = useTexts(uiTexts);
  return <ErrorState title={t('missing')} text={t('missingHelp')} {...props} />;
}
