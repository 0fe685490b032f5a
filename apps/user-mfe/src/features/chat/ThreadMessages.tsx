import type { ChatPerson, Message } from '@karaar/contracts/messaging/http';
import { useTexts } from '@karaar/i18n';
import { formatDate, formatTime, Icon, userName } from '@karaar/ui';
import { Bubble, DayLine, MessageList, NewLine, Typing, type Delivery } from '@karaar/ui/chat';
import { Fragment, useState } from 'react';
import { useUser } from '../../shared/useShell.ts';
import { Attachment, UnsentFile } from './Attachment.tsx';
import css from './chat.module.css';
import { dayName, sameDay } from './days.ts';
import type { Unsent } from './outbox.ts';
import { RichText } from './RichText.tsx';
import { chatTexts } from './texts.ts';
import { hasOlder, type ThreadState } from './thread-state.ts';
import { useTyping } from './useLive.ts';
import { useSteadyScroll } from './useSteadyScroll.ts';
import { useToday } from './useToday.ts';

type ThreadMessagesProps = {
  person: ChatPerson;
  state: ThreadState;
  unsent: readonly Unsent[];
  onOlder: () => Promise<void>;
  onRetry: (id: string) => void;
  onDiscard: (id: string) => void;
};

/** Milliseconds within which messages of one person belong together. */
const TOGETHER_MS = 5 * 60_000;

/** What was written, by day, with what is still on its way at the end. */
export function ThreadMessages(props: ThreadMessagesProps) {
  const { person, state, unsent, onOlder, onRetry, onDiscard } = props;
  const t = useTexts(chatTexts);
  const me = useUser().user_id;
  const name = userName(person.name);
  const now = useToday();
  const typing = useTyping(person.user_id);
  const { messages } = state;
  // Where the unread ones began when the thread was opened; it stays while one reads.
  const [firstNew] = useState(
    () => messages.find((each) => each.sender_id !== me && !each.is_read)?.seq ?? null,
  );
  const stored = new Set(messages.map((message) => message.client_message_id));
  const waiting = unsent.filter(({ id }) => !stored.has(id));
  const scroll = useSteadyScroll({
    first: messages[0]?.seq ?? 0,
    last: `${messages.at(-1)?.seq ?? 0} ${waiting.length}`,
    own: waiting.length > 0 || messages.at(-1)?.sender_id === me,
    more: hasOlder(state),
    onOlder,
  });
  const dayText = (iso: string) => {
    const day = dayName(iso, now);
    return day === 'date' ? formatDate(iso) : t(day);
  };

  return (
    <div className={css.scene}>
      <MessageList label={t('messagesWith', { name })} ref={scroll.list} onScroll={scroll.onScroll}>
        <div>{scroll.loading && <p className={css.older}>{t('loadingOlder')}</p>}</div>
        {messages.length === 0 && waiting.length === 0 && (
          <p className={css.first}>{t('firstWord', { name })}</p>
        )}
        {messages.map((message, at) => {
          const before = messages[at - 1];
          const newDay = !before || !sameDay(before.created_at, message.created_at);
          return (
            <Fragment key={message.client_message_id ?? message._id}>
              {newDay && <DayLine>{dayText(message.created_at)}</DayLine>}
              {message.seq === firstNew && <NewLine>{t('newMessages')}</NewLine>}
              <Bubble
                mine={message.sender_id === me}
                author={message.sender_id === me ? t('you') : name}
                time={formatTime(message.created_at)}
                follows={!newDay && message.seq !== firstNew && together(before, message)}
                delivery={message.sender_id === me ? deliveryOf(message) : undefined}
                attachment={message.attachment && <Attachment message={message} otherId={person.user_id} />}
              >
                {message.content !== message.attachment?.name && <RichText text={message.content} />}
              </Bubble>
            </Fragment>
          );
        })}
        {waiting.map((message) => (
          <Bubble
            key={message.id}
            mine
            author={t('you')}
            time={formatTime(message.at)}
            delivery={message.state}
            onResend={() => onRetry(message.id)}
            onDiscard={() => onDiscard(message.id)}
            attachment={message.file && <UnsentFile file={message.file} />}
          >
            {message.content !== message.file?.name && <RichText text={message.content} />}
          </Bubble>
        ))}
        {typing && <Typing name={name} />}
      </MessageList>
      {scroll.away && (
        <button
          type="button"
          className={css.down}
          onClick={scroll.toEnd}
          aria-label={t('toEnd')}
          title={t('toEnd')}
        >
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}

const together = (before: Message | undefined, message: Message) =>
  before?.sender_id === message.sender_id &&
  Date.parse(message.created_at) - Date.parse(before.created_at) < TOGETHER_MS;

function deliveryOf(message: Message): Delivery {
  if (message.is_read) return 'read';
  return message.is_delivered ? 'delivered' : 'sent';
}
