import { textMessagesRoutes } from '@karaar/contracts/documents/text-messages';
import { smsReporting } from '@karaar/sms';

/** The address for reports about a text, and its route. */
export const smsReports = smsReporting(textMessagesRoutes);
