export { createSmsSender, type SmsSender } from './sender.ts';
export {
  smsEnv,
  smsExposedRule,
  smsOptionsFromEnv,
  smsProductionRules,
  twilioToken,
  type SmsEnv,
  type SmsOptions,
} from './config.ts';
export { SmsError, type SmsOutcome } from './outcome.ts';
export { readTwilioReport, type SmsReport } from './status.ts';
export { textTemplate, type TextMessage } from './message.ts';
