import { LANGUAGES, type Language } from '@karaar/contracts/limits';
import { hasChannel, NOTIFICATION_KINDS, type NotificationKind } from '@karaar/contracts/notifications/kinds';
import { rupeesOf, smsTextOf } from '../sms/sms-texts.ts';
import type { WhatsappMessage } from './whatsapp-client.ts';

/** `1` is the version, as in the names of SMS. */
const templateOf = (kind: NotificationKind): string => `event_1_${kind}`;

/** Returns the body of a template: the SMS without its link, which is the template's button. */
function bodyOf(kind: NotificationKind, language: Language, amount: string): string {
  const text = smsTextOf(kind, language, { amount, link: '' });
  if (text === undefined || !hasChannel(kind, 'whatsapp'))
    throw new Error(`${kind} has no WhatsApp template`);
  return text.replace(/: $/, '');
}

/** Returns the name and the parameters of a message. Throws for a kind that does not come by WhatsApp. */
export function writeWhatsapp(
  language: Language,
  { kind, amountPaise }: { kind: NotificationKind; amountPaise: number },
): Pick<WhatsappMessage, 'template' | 'language' | 'parameters'> {
  const hasAmount = bodyOf(kind, language, '{{1}}').includes('{{1}}');
  return { template: templateOf(kind), language, parameters: hasAmount ? [rupeesOf(amountPaise)] : [] };
}

/** The templates that the operator registers with Meta, in the category `utility`. */
export const whatsappTemplates = NOTIFICATION_KINDS.filter((kind) => hasChannel(kind, 'whatsapp')).flatMap(
  (kind) =>
    LANGUAGES.map((language) => ({
      name: templateOf(kind),
      language,
      body: bodyOf(kind, language, '{{1}}'),
    })),
);
