/** NATS between services: typed RPC with deadlines, and events through outbox and inbox (design §2.4-2.5). */
export { connectBus, type Bus, type BusOptions, type BusState } from './bus.ts';
export { isReplyLost } from './rpc/request.ts';
export type { RpcContext, RpcHandler } from './rpc/serve.ts';
export type { Consumption, ConsumeOptions, ConsumeSettings } from './consuming/consumer.ts';
export type { RecordedEffect } from './consuming/effect.ts';
export { startBrokerAdmin, type BrokerAdmin, type Plan } from './broker-admin.ts';
export { insertEventSql } from './outbox/event-sql.ts';
export { createOutbox, type Outbox, type OutboxOptions } from './outbox/outbox.ts';
export { faultOf, forgetDeadLetters, keptLetters, type KeptLetter } from './consuming/inbox.ts';
export { busRetentions } from './retention.ts';
export { PoisonMessage } from './consuming/poison.ts';
export { supersedes, type Envelope } from './envelope.ts';
export { reopen, unpark } from './outbox/outbox-store.ts';
export { unavailableText } from './names.ts';
export { checkMessage, describeFaults } from './validate.ts';
