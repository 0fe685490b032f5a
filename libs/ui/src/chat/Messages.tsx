import { useTexts } from '@karaar/i18n';
import { Icon, partTexts, TextButton } from '@karaar/ui';
import type { ReactNode } from 'react';
import css from './chat.module.css';

export type Delivery = 'sending' | 'sent' | 'read' | 'failed';

/** The messages of a thread, newest last; new ones are read out. */
export function MessageList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="log" aria-label={label} aria-live="polite" tabIndex={0} className={css.messages}>
      {children}
    </div>
  );
}

/** Today, Yesterday or a date between messages. */
export function DayLine({ children }: { children: ReactNode }) {
  return (
    <h3 className={css.day}>
      <span>{children}</span>
    </h3>
  );
}

type BubbleProps = {
  mine: boolean;
  /** Who wrote it, for screen readers. */
  author: string;
  time: string;
  /** What became of a message of one's own. */
  delivery?: Delivery;
  onResend?: () => void;
  /** A file that came with it. */
  attachment?: ReactNode;
  children?: ReactNode;
};

const marks = { sending: 'clock', sent: 'tick', read: 'check', failed: 'alert' } as const;
const words = { sending: 'sending', sent: 'sent', read: 'read', failed: 'notSent' } as const;

/** One message: its text keeps its line breaks. */
export function Bubble({ mine, author, time, delivery, onResend, attachment, children }: BubbleProps) {
  const t = useTexts(partTexts);
  return (
    <article
      className={css.bubble}
      data-mine={mine || undefined}
      data-failed={delivery === 'failed' || undefined}
    >
      <span className="k-hidden">{author}</span>
      {attachment}
      {children && <p className={css.text}>{children}</p>}
      <footer className={css.meta}>
        <time>{time}</time>
        {mine && delivery && (
          <>
            <Icon name={marks[delivery]} size={14} />
            <span className={delivery === 'failed' ? undefined : 'k-hidden'}>{t(words[delivery])}</span>
          </>
        )}
        {delivery === 'failed' && onResend && <TextButton onClick={onResend}>{t('resend')}</TextButton>}
      </footer>
    </article>
  );
}

/** The other one is writing. */
export function Typing({ name }: { name: string }) {
  const t = useTexts(partTexts);
  return (
    <p className={css.typing} role="status">
      <span className={css.dots} aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      {t('typing', { name })}
    </p>
  );
}
