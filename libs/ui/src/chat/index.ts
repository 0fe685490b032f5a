/** The parts of a conversation. */
export { Bubble, DayLine, MessageList, NewLine, Typing, type Delivery } from './Messages.tsx';
export { Composer } from './Composer.tsx';
export { ConversationRow } from './ConversationRow.tsx';
export { FileCard } from './FileCard.tsx';
