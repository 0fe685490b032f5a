import { serverClock } from '@karaar/api-client';
import type { Conversation } from '@karaar/contracts/messaging/http';
import { useTexts } from '@karaar/i18n';
import { formatDate, formatTime, Icon, userName } from '@karaar/ui';
import { ConversationRow } from '@karaar/ui/chat';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router';
import { useUser } from '../../../shared/useShell.ts';
import css from '../chat.module.css';
import { dayName } from '../thread/days.ts';
import { chatTexts } from '../texts.ts';
import { useOnline } from '../useLive.ts';

/** The height of a row in pixels. */
const ROW = 73;

type ChatRowsProps = {
  chats: readonly Conversation[];
  current: string | undefined;
  onNearEnd: () => void;
};

/** The rows of the list; only those in view are rendered. */
export function ChatRows({ chats, current, onNearEnd }: ChatRowsProps) {
  const t = useTexts(chatTexts);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: chats.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    getItemKey: (at) => chats[at]?.user.user_id ?? at,
  });
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  const nearEnd = useEffectEvent(onNearEnd);
  useEffect(() => {
    if (last >= chats.length - 5) nearEnd();
  }, [last, chats.length]);
  const online = useOnline(shown.flatMap(({ index }) => chats[index]?.user.user_id ?? []));
  return (
    <div ref={scroller} className={css.rows}>
      <ul style={{ position: 'relative', height: rows.getTotalSize() }} aria-label={t('chats')}>
        {shown.map(({ key, index, start }) => {
          const chat = chats[index];
          if (!chat) return null;
          return (
            <ChatRow
              key={String(key)}
              chat={chat}
              isCurrent={chat.user.user_id === current}
              online={online.has(chat.user.user_id)}
              place={{ at: index + 1, of: chats.length }}
              top={start}
            />
          );
        })}
      </ul>
    </div>
  );
}

type ChatRowProps = {
  chat: Conversation;
  isCurrent: boolean;
  online: boolean;
  place: { at: number; of: number };
  top: number;
};

function ChatRow({ chat, isCurrent, online, place, top }: ChatRowProps) {
  const t = useTexts(chatTexts);
  const { user, last_message: message, unread_count: unread } = chat;
  return (
    <ConversationRow
      as={Link}
      linkProps={{
        to: `/chat/${user.user_id}`,
        ...(isCurrent ? { 'aria-current': 'page' } : {}),
      }}
      name={userName(user.name)}
      online={online}
      mark={
        user.shared_documents > 0 && (
          <span className={css.shared} title={t('sharedDocuments', { count: user.shared_documents })}>
            <Icon name="document" size={14} />
            <span aria-hidden="true">{user.shared_documents}</span>
            <span className="k-hidden">{t('sharedDocuments', { count: user.shared_documents })}</span>
          </span>
        )
      }
      note={message ? <LastMessage message={message} /> : t('notWrittenYet')}
      time={message ? timeOf(message.created_at, t) : undefined}
      unread={unread}
      place={place}
      style={{ position: 'absolute', inset: '0 0 auto', transform: `translateY(${top}px)` }}
    />
  );
}

function LastMessage({ message }: { message: NonNullable<Conversation['last_message']> }) {
  const t = useTexts(chatTexts);
  const { attachment_name: file, content } = message;
  const mine = message.sender_id === useUser().user_id;
  return (
    <>
      {mine && <span>{`${t('youPrefix')} `}</span>}
      {file !== null && <Icon name="clip" size={14} className={css.noteIcon} />}
      <span>{content}</span>
    </>
  );
}

function timeOf(iso: string, t: typeof chatTexts.say): string {
  const day = dayName(iso, serverClock.now());
  if (day === 'today') return formatTime(iso);
  return day === 'yesterday' ? t('yesterday') : formatDate(iso);
}
