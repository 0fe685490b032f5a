import {
  Bubble,
  Composer,
  ConversationRow,
  DayLine,
  FileCard,
  MessageList,
  NewLine,
  Typing,
} from '@karaar/ui/chat';
import { useState } from 'react';
import { wide, type Group } from '../gallery.ts';

const nothing = () => undefined;

function ComposerDemo() {
  const [text, setText] = useState('');
  return (
    <Composer
      label="Message to Vikram Shah"
      placeholder="Write a message"
      value={text}
      onChange={setText}
      onSend={() => setText('')}
      onAttach={nothing}
      limit={120}
      attached={<FileCard name="deposit-receipt.pdf" size={184_320} />}
    />
  );
}

export const chat: Group = {
  title: 'Chat',
  entries: [
    wide('MessageList', 'Bubbles by day, with what became of one’s own.', {
      thread: (
        <MessageList label="Messages with Vikram Shah">
          <DayLine>Yesterday</DayLine>
          <Bubble mine={false} author="Vikram Shah" time="6:40 pm">
            I have signed. Please look at page 2.
          </Bubble>
          <DayLine>Today</DayLine>
          <Bubble mine author="You" time="9:02 am" delivery="read">
            {'Thank you.\nमैंने देख लिया है।'}
          </Bubble>
          <NewLine>New messages</NewLine>
          <Bubble mine author="You" time="9:03 am" delivery="delivered" follows>
            I will finalize it today.
          </Bubble>
          <Bubble mine author="You" time="9:03 am" delivery="sent" follows>
            The receipt is here.
          </Bubble>
          <Bubble mine author="You" time="9:04 am" delivery="sending">
            And pay my share.
          </Bubble>
          <Bubble mine author="You" time="9:05 am" delivery="failed" onResend={nothing} onDiscard={nothing}>
            The rest tomorrow.
          </Bubble>
          <Typing name="Vikram Shah" />
        </MessageList>
      ),
      composer: <ComposerDemo />,
    }),
    wide('ConversationRow', 'One conversation: who, the last message, when, how many unread.', {
      list: (
        <ul>
          <ConversationRow
            as="a"
            linkProps={{ href: '#conversation-row' }}
            name="Vikram Shah"
            online
            note="I have signed. Please look at page 2."
            time="6:40 pm"
            unread={120}
          />
          <ConversationRow
            as="a"
            linkProps={{ href: '#conversation-row' }}
            name="Meera Iyer"
            note="2 shared documents"
            time="18 Nov"
          />
        </ul>
      ),
    }),
  ],
};
