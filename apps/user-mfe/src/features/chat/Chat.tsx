import { useTexts } from '@karaar/i18n';
import { useParams } from 'react-router';
import css from './chat.module.css';
import { ChatList } from './list/ChatList.tsx';
import { Invitation } from './Invitation.tsx';
import { Thread } from './thread/Thread.tsx';
import { chatTexts } from './texts.ts';
import { useResumedOutbox } from './writing/useOutbox.ts';

/** All chats and the open one: side by side on wide windows, one at a time on a phone. */
export default function Chat() {
  const { userId } = useParams();
  useResumedOutbox();
  return (
    <div className={css.chat} data-fill data-open={userId ? '' : undefined}>
      <ChatList current={userId} />
      {userId ? <Thread key={userId} userId={userId} /> : <Nothing />}
    </div>
  );
}

function Nothing() {
  const t = useTexts(chatTexts);
  return (
    <div className={css.nothing}>
      <Invitation picture="chat" title={t('chooseTitle')} text={t('chooseText')} />
    </div>
  );
}
