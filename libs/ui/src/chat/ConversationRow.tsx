import { useTexts } from '@karaar/i18n';
import { Avatar, badgeCount, partTexts } from '@karaar/ui';
import type { CSSProperties, ElementType, ReactElement, ReactNode } from 'react';
import css from './chat.module.css';

type ConversationRowProps = {
  /** The router's Link, with its `to` in `linkProps`. */
  as: ElementType;
  linkProps: Record<string, unknown>;
  name: string;
  src?: string | null | undefined;
  online?: boolean;
  /** Next to the name: shared documents. */
  mark?: ReactElement | false;
  /** The last message, in one line. */
  note: ReactNode;
  time?: string | undefined;
  unread?: number;
  /** The position (from 1) and the total, for a list that renders only a part. */
  place?: { at: number; of: number };
  style?: CSSProperties;
};

export function ConversationRow(props: ConversationRowProps) {
  const { as: Link, linkProps, name, src, online, mark, note, time, unread = 0, place, style } = props;
  const t = useTexts(partTexts);
  return (
    <li className={css.line} style={style} aria-posinset={place?.at} aria-setsize={place?.of}>
      <Link {...linkProps} className={css.row}>
        <span className={css.face} data-online={online || undefined}>
          <Avatar name={name} src={src} size={48} />
          {online && <span className="k-hidden">{t('online')}</span>}
        </span>
        <span className={css.rowText}>
          <span className={css.rowHead}>
            <span className={css.rowName}>{name}</span>
            {mark}
          </span>
          <span className={css.rowNote} data-unread={unread > 0 || undefined}>
            {note}
          </span>
        </span>
        <span className={css.rowEnd}>
          {time && <time className={css.rowTime}>{time}</time>}
          {unread > 0 && (
            <span className={css.unread}>
              <span aria-hidden="true">{badgeCount(unread)}</span>
              <span className="k-hidden">{t('unread', { count: unread })}</span>
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
