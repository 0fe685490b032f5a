/** Text messages to phones: one interface, MSG91 and Twilio behind it. */
export { createSmsSender, type SmsSender } from './sender.ts';
export {
  smsEnv,
  smsExposedRule,
  smsOptionsFromEnv,
  smsProductionRules,
  type SmsEnv,
  type SmsOptions,
} from './config.ts';
export { SmsError, type SmsOutcome } from './outcome.ts';
export { textTemplate, type TextMessage } from './message.ts';
