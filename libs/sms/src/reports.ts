import type { smsReportRoutes } from '@karaar/contracts/sms';
import { mountWebhook, type HttpApp } from '@karaar/http';
import type { SmsEnv } from './config.ts';
import { readMsg91Reports, readTwilioReport, type SmsReport } from './status.ts';

/** Records a report. The first one about a text is final. */
export type NoteReport = (textId: string, report: SmsReport) => Promise<void>;

export type SmsReporting = {
  /** Returns the public address of the reports about a text. Texts are sent with it. */
  statusUrlOf: (config: { PUBLIC_URL: string }, textId: string) => string;
  /** Registers the configured provider's webhook. */
  mount: (
    app: HttpApp,
    config: Pick<SmsEnv, 'SMS_PROVIDER' | 'SMS_AUTH_TOKEN'> & { PUBLIC_URL: string },
    note: NoteReport,
  ) => void;
};

/** Returns how the providers report whether a service's texts arrived. */
export function smsReporting(routes: ReturnType<typeof smsReportRoutes>): SmsReporting {
  const statusUrlOf: SmsReporting['statusUrlOf'] = ({ PUBLIC_URL }, textId) =>
    `${PUBLIC_URL.replace(/\/$/, '')}/api${routes.twilioReport.path.replace(':messageId', textId)}`;
  return {
    statusUrlOf,
    mount: (app, config, note) => {
      const secret = config.SMS_AUTH_TOKEN;
      if (config.SMS_PROVIDER === 'msg91')
        return mountWebhook(app, routes.msg91Report, async ({ rawBody }) => {
          for (const { id, report } of readMsg91Reports(rawBody.toString(), secret)) await note(id, report);
        });
      mountWebhook(app, routes.twilioReport, async ({ params: { messageId = '' }, rawBody, header }) => {
        const signature = header('x-twilio-signature') ?? '';
        const call = { url: statusUrlOf(config, messageId), body: rawBody.toString(), signature };
        const report = readTwilioReport(call, secret);
        if (report) await note(messageId, report);
      });
    },
  };
}

/** Returns the id of the text in the address of its reports. */
export const textIdIn = (statusUrl: string): string | undefined =>
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(statusUrl)?.[0];
