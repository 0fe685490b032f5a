/** SMS about documents: reminders, and the user's choice to receive them. */
import { Type } from 'typebox';
import { defineRoute, IdAndUserParams, MessageBody } from '../kit.ts';
import { smsReportRoutes } from '../sms.ts';

const TextMessageSettings = Type.Object({ sms_notices: Type.Boolean() });

export const textMessagesRoutes = {
  getTextMessageSettings: defineRoute({
    method: 'GET',
    path: '/documents/notice-settings',
    access: 'user',
    summary: 'Whether the caller gets text messages about documents',
    response: { 200: TextMessageSettings },
  }),
  changeTextMessageSettings: defineRoute({
    method: 'PUT',
    path: '/documents/notice-settings',
    access: 'user',
    summary: 'Switch text messages about documents on or off',
    body: TextMessageSettings,
    response: { 200: TextMessageSettings },
  }),
  remind: defineRoute({
    method: 'POST',
    path: '/documents/:id/remind/:userId',
    access: 'user',
    summary: 'Remind an invited party by SMS; at most once a day per party',
    params: IdAndUserParams,
    response: { 200: MessageBody },
  }),
  ...smsReportRoutes('/documents/text-messages'),
} as const;
