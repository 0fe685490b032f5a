import type { ChatPerson } from '@karaar/contracts/messaging/http';
import { useTexts } from '@karaar/i18n';
import { formatTime, Icon, userName } from '@karaar/ui';
import { Bubble, MessageList, Typing } from '@karaar/ui/chat';
import { useMemo, useRef, useState } from 'react';
import { useUser } from '../../../shared/useShell.ts';
import { UnsentFile } from './Attachment.tsx';
import css from '../chat.module.css';
import type { Unsent } from '../writing/outbox.ts';
import { RichText } from './RichText.tsx';
import { stretchesOf, type Stretch } from './stretches.ts';
import { StretchOfMessages } from './StretchOfMessages.tsx';
import { chatTexts } from '../texts.ts';
import { hasOlder, type ThreadState } from './thread-state.ts';
import { useTyping } from '../useLive.ts';
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

/** The messages by day, followed by unsent ones. */
export function ThreadMessages(props: ThreadMessagesProps) {
  const { person, state, unsent, onOlder, onRetry, onDiscard } = props;
  const t = useTexts(chatTexts);
  const me = useUser().user_id;
  const name = userName(person.name);
  const now = useToday();
  const typing = useTyping(person.user_id);
  const { messages } = state;
  // The position of the first unread message when the thread was opened; fixed while the user reads.
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
  const known = useRef<readonly Stretch[]>([]);
  const stretches = useMemo(() => (known.current = stretchesOf(messages, known.current)), [messages]);

  return (
    <div className={css.scene}>
      <MessageList
        label={t('messagesWith', { name })}
        ref={scroll.list}
        onScroll={scroll.onScroll}
        // While the user reads older messages, scrolling adds ranges that must not be announced as new.
        aria-live={scroll.away ? 'off' : 'polite'}
      >
        <div className={css.older}>{scroll.loading && <p>{t('loadingOlder')}</p>}</div>
        {messages.length === 0 && waiting.length === 0 && (
          <p className={css.first}>{t('firstWord', { name })}</p>
        )}
        {stretches.map((stretch) => (
          <StretchOfMessages
            key={stretch.key}
            stretch={stretch}
            otherId={person.user_id}
            name={name}
            now={now}
            firstNew={firstNew}
            watch={scroll.watch}
          />
        ))}
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
