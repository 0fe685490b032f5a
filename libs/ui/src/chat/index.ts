/** The parts of a conversation. `@karaar/ui/chat`. */
export { Bubble, DayLine, MessageList, Typing, type Delivery } from './Messages.tsx';
export { Composer } from './Composer.tsx';
export { ConversationRow } from './ConversationRow.tsx';
