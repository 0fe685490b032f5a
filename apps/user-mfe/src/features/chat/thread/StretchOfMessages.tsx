import type { Message } from '@karaar/contracts/messaging/http';
import { useTexts } from '@karaar/i18n';
import { formatDate, formatTime } from '@karaar/ui';
import { Bubble, DayLine, NewLine, type Delivery } from '@karaar/ui/chat';
import { Fragment, memo, useEffect, useRef, useState } from 'react';
import { useUser } from '../../../shared/useShell.ts';
import { Attachment } from './Attachment.tsx';
import css from '../chat.module.css';
import { dayName, sameDay } from './days.ts';
import { RichText } from './RichText.tsx';
import type { Stretch } from './stretches.ts';
import { chatTexts } from '../texts.ts';
import type { Watch } from './useNearness.ts';

type StretchProps = {
  stretch: Stretch;
  otherId: string;
  name: string;
  /** Milliseconds; changes at midnight. */
  now: number;
  /** The position of the first message that was new when the thread was opened. */
  firstNew: number | null;
  watch: Watch;
};

/** A range of consecutive messages; away from the view only its height is kept, so that nothing moves. */
export const StretchOfMessages = memo(function StretchOfMessages(props: StretchProps) {
  const element = useRef<HTMLDivElement>(null);
  const [height, setHeight] = useState<number | null>(null);
  const { watch } = props;
  useEffect(() => (element.current ? watch(element.current, setHeight) : undefined), [watch]);
  return (
    <div
      ref={element}
      className={css.stretch}
      style={height === null ? undefined : { height }}
      aria-hidden={height === null ? undefined : true}
    >
      {height === null && <Messages {...props} />}
    </div>
  );
});

/** Messages of one person within this many milliseconds form a group. */
const TOGETHER_MS = 5 * 60_000;

function Messages({ stretch, otherId, name, now, firstNew }: StretchProps) {
  const t = useTexts(chatTexts);
  const me = useUser().user_id;
  const dayText = (iso: string) => {
    const day = dayName(iso, now);
    return day === 'date' ? formatDate(iso) : t(day);
  };
  return stretch.messages.map((message, at) => {
    const before = at === 0 ? stretch.before : stretch.messages[at - 1];
    const newDay = !before || !sameDay(before.created_at, message.created_at);
    const mine = message.sender_id === me;
    return (
      <Fragment key={message.client_message_id ?? message._id}>
        {newDay && <DayLine>{dayText(message.created_at)}</DayLine>}
        {message.seq === firstNew && <NewLine>{t('newMessages')}</NewLine>}
        <Bubble
          mine={mine}
          author={mine ? t('you') : name}
          time={formatTime(message.created_at)}
          follows={!newDay && message.seq !== firstNew && together(before, message)}
          delivery={mine ? deliveryOf(message) : undefined}
          attachment={message.attachment && <Attachment message={message} otherId={otherId} />}
        >
          {message.content !== message.attachment?.name && <RichText text={message.content} />}
        </Bubble>
      </Fragment>
    );
  });
}

const together = (before: Message | undefined, message: Message) =>
  before?.sender_id === message.sender_id &&
  Date.parse(message.created_at) - Date.parse(before.created_at) < TOGETHER_MS;

function deliveryOf(message: Message): Delivery {
  if (message.is_read) return 'read';
  return message.is_delivered ? 'delivered' : 'sent';
}
