import { ErrorState } from '@karaar/ui';
import { Component, type ReactNode } from 'react';
import { remoteTexts } from './texts.ts';

type Props = { resetKey: string; children: ReactNode };
type State = { failedAt: string | null };

/** Keeps a failing screen from taking the shell with it. Another path, or the button, tries again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failedAt: null };

  static getDerivedStateFromError(): Partial<State> {
    return { failedAt: '' };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (state.failedAt === '') return { failedAt: props.resetKey };
    return state.failedAt !== null && state.failedAt !== props.resetKey ? { failedAt: null } : null;
  }

  override render(): ReactNode {
    if (this.state.failedAt === null) return this.props.children;
    return (
      <ErrorState
        title={remoteTexts.say('failed')}
        text={remoteTexts.say('failedHelp')}
        onRetry={() => location.reload()}
      />
    );
  }
}
