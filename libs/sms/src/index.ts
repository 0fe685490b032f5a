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
export { smsReporting, type NoteReport } from './reports.ts';
export { msg91ReportId, type SmsReport } from './status.ts';
export { textTemplate, type TextMessage } from './message.ts';
