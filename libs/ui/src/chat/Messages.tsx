import { useTexts } from '@karaar/i18n';
import { Icon, partTexts, TextButton, type IconName } from '@karaar/ui';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import css from './chat.module.css';

export type Delivery = 'sending' | 'sent' | 'delivered' | 'read' | 'failed';

type MessageListProps = { label: string } & Omit<ComponentPropsWithRef<'div'>, 'role' | 'aria-label'>;

/** The messages of a thread, newest last; new ones are announced. */
export function MessageList({ label, children, ...rest }: MessageListProps) {
  return (
    <div aria-live="polite" {...rest} role="log" aria-label={label} tabIndex={0} className={css.messages}>
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

/** Marks the beginning of new messages. */
export function NewLine({ children }: { children: ReactNode }) {
  return (
    <p className={css.newLine}>
      <span>{children}</span>
    </p>
  );
}

type BubbleProps = {
  mine: boolean;
  author: string;
  time: string;
  /** True if the previous message has the same author and is recent. */
  follows?: boolean;
  delivery?: Delivery | undefined;
  onResend?: (() => void) | undefined;
  onDiscard?: (() => void) | undefined;
  attachment?: ReactNode;
  children?: ReactNode;
};

const marks: Record<Delivery, IconName> = {
  sending: 'clock',
  sent: 'tick',
  delivered: 'ticks',
  read: 'ticks',
  failed: 'alert',
};
const words = {
  sending: 'sending',
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'notSent',
} as const;

/** One message; keeps line breaks. */
export function Bubble(props: BubbleProps) {
  const { mine, author, time, follows, delivery, onResend, onDiscard, attachment, children } = props;
  const t = useTexts(partTexts);
  const failed = delivery === 'failed';
  return (
    <article
      className={css.bubble}
      data-mine={mine || undefined}
      data-follows={follows || undefined}
      data-failed={failed || undefined}
    >
      <span className="k-hidden">{author}</span>
      {attachment}
      {children && (
        // Urdu is written from right to left.
        <p className={css.text} dir="auto">
          {children}
        </p>
      )}
      <footer className={css.meta}>
        <time>{time}</time>
        {mine && delivery && (
          <span className={css.mark} data-delivery={delivery} title={t(words[delivery])}>
            <Icon name={marks[delivery]} size={16} />
            <span className={failed ? undefined : 'k-hidden'}>{t(words[delivery])}</span>
          </span>
        )}
        {failed && onResend && <TextButton onClick={onResend}>{t('resend')}</TextButton>}
        {failed && onDiscard && <TextButton onClick={onDiscard}>{t('discard')}</TextButton>}
      </footer>
    </article>
  );
}

/** Shows that the other user is typing. */
export function Typing({ name }: { name: string }) {
  const t = useTexts(partTexts);
  return (
    <p className={css.typing} role="status">
      <span className={css.dots} aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      <span>{t('typing', { name })}</span>
    </p>
  );
}
